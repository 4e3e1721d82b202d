"""Megatron-LM's arguments as a mapping, whichever way they are written, read one by one.

Names are those of its `args`: underscores for dashes (megatron/training/arguments.py). A file in
the dictionary style holds the same names.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import PurePath
from typing import Any, Literal

from workings.planning.inputs.given import Entries, Entry, Reader, refused, tidy, whole, wrong
from workings.planning.inputs.megatron import literal, shell, yaml
from workings.planning.inputs.megatron.names import ALIASES, KNOWN, REMOVED, SAID
from workings.planning.job import JobError

Style = Literal["shell", "settings"]
_FLAG = re.compile(r"--([A-Za-z][A-Za-z0-9_-]*)(?:=(.*))?", re.DOTALL)
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_SHELL = re.compile(r"(?:^|[\s\"'(])--[a-z]")


@dataclass
class Arguments:
    """Arguments by name, and which of them were asked for."""

    reader: Reader
    given: Entries
    style: Style
    used: set[str] = field(default_factory=set)
    defaults: dict[str, Fraction] = field(default_factory=dict)

    def entry(self, name: str) -> Entry | None:
        """The entry of an argument; None where it is left out or None itself."""
        self.used.add(name)
        found = self.given.get(name)
        return None if found is None or found.value is None else found

    def whole(self, name: str, least: int = 1) -> Entry | None:
        """A whole number, or None where it is left out. Raises JobError."""
        found = self.entry(name)
        return None if found is None else replace(found, value=whole(found, least))

    def number(self, name: str, default: int, least: int = 1) -> Entry:
        """A whole number, or the program's default. Raises JobError."""
        return self.whole(name, least) or self.default(name, Fraction(default))

    def flag(self, name: str, default: bool = False) -> Entry:
        """Whether a switch is on. Raises JobError."""
        found = self.entry(name)
        if found is None:
            return self.default(name, Fraction(int(default)))
        on = {"true": True, "false": False}.get(str(found.value).lower(), found.value)
        if on not in (0, 1):
            raise refused(found, "true or false")
        return replace(found, value=Fraction(int(on)))

    def text(self, name: str, choices: Iterable[str]) -> str | None:
        """One of some words, or None where it is left out. Raises JobError."""
        found = self.entry(name)
        if found is None:
            return None
        value = str(found.value).rpartition(".")[2].lower()  # `torch.bfloat16`, `AttnBackend.flash`
        known = list(choices)
        if value not in known:
            raise refused(found, f"one of {', '.join(known)}")
        return value

    def default(self, name: str, value: Fraction) -> Entry:
        """The program's own value of an argument that is left out."""
        self.defaults[name] = value
        return Entry(value, "assumed", "Megatron-LM's default", self.reader.file, self.spelled(name))

    def on(self, name: str) -> bool:
        """Whether a switch that is off by default is on. Raises JobError."""
        return bool(self.flag(name).value)

    def spelled(self, name: str) -> str:
        """A name as this file writes it."""
        return "--" + name.replace("_", "-") if self.style == "shell" else name

    def wrong(self, name: str, found: object, expected: str) -> JobError:
        """The error of an argument."""
        entry = self.given.get(name)
        key = entry.key if entry is not None else self.spelled(name)
        return wrong(self.reader.file, key, found, expected)


def arguments_of(reader: Reader, text: str) -> Arguments:
    """The arguments that a file holds, told from its ending and its text. Raises JobError."""
    ending = PurePath(reader.file).suffix.lower()
    if ending in (".yaml", ".yml"):
        pairs, style = yaml.settings(reader.file, text), "settings"
    elif ending == ".json":
        pairs, style = _json(reader.file, text), "settings"
    elif ending != ".py" and _SHELL.search(text):
        pairs, style = _from_shell(reader.file, text), "shell"
    else:
        pairs, style = literal.settings(reader.file, text), "settings"
    return Arguments(reader, _collected(reader, pairs, style), style)  # type: ignore[arg-type]


def _json(file: str, text: str) -> list[tuple[str, Any]]:
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError) as error:
        raise JobError(f"{file}: not valid JSON: {tidy(str(error))}") from error
    flat: list[tuple[str, Any]] = []
    open_pairs = list(reversed(pairs)) if isinstance(pairs, list) else []
    while open_pairs:
        pair = open_pairs.pop()
        if not isinstance(pair, tuple):
            continue
        if isinstance(pair[1], list) and pair[1] and all(isinstance(p, tuple) for p in pair[1]):
            open_pairs += reversed(pair[1])
        else:
            flat.append(pair)
    return flat


def _from_shell(file: str, text: str) -> list[tuple[str, Any]]:
    """The flags of the command that trains, or of all variables where there is no command."""
    read = shell.script(file, text)
    lines = [_flags(_resplit(file, words)) for words in read.commands]
    for name, _ in _flags(_resplit(file, read.conditional)):
        if name in KNOWN:
            key = f"--{name.replace('_', '-')}"
            raise wrong(file, key, "it under a condition", "it outside: the script is not run")
    training = [flags for flags in lines if _is_training(flags)]
    if len(training) > 1:
        raise JobError(
            f"{file}: found {len(training)} commands with Megatron-LM's arguments, expected one"
        )
    if training:
        return training[0]
    return [flag for words in read.variables.values() for flag in _flags(_resplit(file, words))]


def _is_training(flags: list[tuple[str, Any]]) -> bool:
    return any("parallel_size" in name or name in ("num_layers", "micro_batch_size") for name, _ in flags)


def _resplit(file: str, words: list[str]) -> list[str]:
    """Words that are command lines themselves, as `bash -c "…"` has them, taken apart."""
    plain: list[str] = []
    for word in words:
        inner = _SHELL.search(word) and any(c.isspace() for c in word)
        if inner and shell.UNKNOWN in word:
            plain += shell.blanks(word)
        elif inner:
            plain += [part for line in shell.script(file, word).commands for part in line]
        else:
            plain.append(word)
    return plain


def _flags(words: list[str]) -> list[tuple[str, Any]]:
    """Flags with what follows them: nothing, one value, or several."""
    found: list[tuple[str, list[Any]]] = []
    for word in words:
        match = _FLAG.fullmatch(word)
        if match:
            found.append((match[1].replace("-", "_"), [] if match[2] is None else [_value(match[2])]))
        elif re.fullmatch(r"-[A-Za-z]", word):
            found.append(("", []))
        elif found:
            found[-1][1].append(_value(word))
    return [(name, (values[0] if values else True)) for name, values in found if name]


def _value(text: str) -> Any:
    return int(text) if _WHOLE.fullmatch(text) else text


def _collected(reader: Reader, pairs: list[tuple[str, Any]], style: str) -> Entries:
    """Arguments by name; one given twice must say the same. Raises JobError."""
    given: Entries = {}
    for raw, value in pairs:
        key = ("--" + raw.replace("_", "-")) if style == "shell" else raw
        name = ALIASES.get(raw.replace("-", "_"), raw.replace("-", "_"))
        if name in REMOVED:
            raise wrong(reader.file, key, "an argument that Megatron-LM removed", REMOVED[name])
        before = given.get(name)
        if before is not None and value is None:
            continue
        if before is not None and before.value is not None and before.value != value and name in KNOWN:
            other = before.value if isinstance(before.value, int | str) else "another"
            raise wrong(reader.file, key, _plain(value), f"{_plain(other)}, as it was set before")
        given[name] = Entry(_plain(value), "given", f"{reader.file}: {tidy(key)}", reader.file, key)
    return given


def _plain(value: Any) -> Any:
    """A mark of the shell as words; anything else as it is."""
    return value.replace(shell.UNKNOWN, "") if isinstance(value, str) else value


def note_rest(arguments: Arguments, reasons: Mapping[str, str]) -> None:
    """Say what became of every argument. Raises JobError for a name that is nearly a known one."""
    reader = arguments.reader
    for name in SAID:
        if name in arguments.defaults and name not in arguments.given:
            text = f"{arguments.defaults[name]}: Megatron-LM's default"
            reader.note("defaulted", arguments.spelled(name), text)
    for name, entry in arguments.given.items():
        shown = tidy(str(entry.value))[:60]
        if reader.ignores(entry.key):
            continue
        if name in arguments.used:
            reader.note("read", entry.key, shown)
        elif name in reasons:
            reader.note("ignored", entry.key, reasons[name])
        else:
            _refuse_near(arguments, name, entry)
            reader.note("ignored", entry.key, "the plan has no use for it")


def _refuse_near(arguments: Arguments, name: str, entry: Entry) -> None:
    if name in KNOWN:  # no misspelling, though this launch has no use for it
        return
    near = difflib.get_close_matches(name[:80], KNOWN, 1, 0.9)
    if near and not any(name in (f"{near[0]}s", f"no_{near[0]}") for _ in near):
        text = f"{arguments.spelled(near[0])}, which is near it"
        raise JobError(f"{entry.file}: {tidy(entry.key)}: found an unknown argument, expected {text}")
