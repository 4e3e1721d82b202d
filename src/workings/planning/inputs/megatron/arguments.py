"""Megatron-LM's arguments as a mapping, whichever way they are written, read one by one.

Names are those of its `args`: underscores for dashes (megatron/training/arguments.py). A file in
the dictionary style holds the same names.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import PurePath
from typing import Any, Literal

from workings.planning.inputs.given import Entries, Entry, Reader, refused, tidy, whole, wrong
from workings.planning.inputs.megatron import literal, shell, yaml
from workings.planning.inputs.megatron.flags import from_shell, looks_like_shell
from workings.planning.inputs.megatron.names import ALIASES, KNOWN, REMOVED, SAID, SEVERAL
from workings.planning.job import JobError
from workings.planning.unfollowed import NO_USE

Style = Literal["shell", "settings"]


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

    def several(self, name: str) -> list[Any] | None:
        """All values of an argument that takes several, or None where it is left out."""
        found = self.entry(name)
        return None if found is None else found.value if isinstance(found.value, list) else [found.value]

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
    ending, command = PurePath(reader.file).suffix.lower(), False
    if ending in (".yaml", ".yml"):
        pairs, style = yaml.settings(reader.file, text), "settings"
    elif ending == ".json":
        pairs, style = _json(reader.file, text), "settings"
    elif ending != ".py" and looks_like_shell(text):
        (pairs, command), style = from_shell(reader, text), "shell"
    else:
        pairs, style = literal.settings(reader.file, text), "settings"
    return Arguments(reader, _collected(reader, pairs, style, command), style)  # type: ignore[arg-type]


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


def _collected(reader: Reader, pairs: list[tuple[str, Any]], style: str, command: bool) -> Entries:
    """Arguments by name; one given twice must say the same, or be a flag of one command.

    Raises JobError.
    """
    given: Entries = {}
    for raw, value in pairs:
        key = ("--" + raw.replace("_", "-")) if style == "shell" else raw
        name = ALIASES.get(raw.replace("-", "_"), raw.replace("-", "_"))
        if name in REMOVED:
            raise wrong(reader.file, key, "an argument that Megatron-LM removed", REMOVED[name])
        before, plain = given.get(name), _plain(value)
        if style == "shell" and isinstance(plain, list) and name in KNOWN and name not in SEVERAL:
            raise wrong(reader.file, key, written(plain), "one value")
        if isinstance(plain, str) and plain[:1] == "{" and any(known in plain for known in KNOWN):
            raise wrong(reader.file, key, "several keys in one line", "each on a line of its own")
        if before is not None and value is None:
            continue
        if before is not None and before.value is not None and before.value != plain:
            if command and before.key == key:
                text = "it stands there again, and the last one counts"
                reader.note("ignored", f"{key} {written(before.value)}", text)
            elif name in KNOWN:
                raise wrong(
                    reader.file, key, written(plain), f"{written(before.value)}, as it was set before"
                )
        given[name] = Entry(plain, "given", f"{reader.file}: {tidy(key)}", reader.file, key)
    return given


def _plain(value: Any) -> Any:
    """A mark of the shell as words; several values as a list; anything else as it is."""
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.replace(shell.UNKNOWN, "") if isinstance(value, str) else value


def written(value: Any) -> str | int:
    """A value for a message, several of them as they stand on a command line."""
    if isinstance(value, list):
        return " ".join(str(one) for one in value)
    return value if isinstance(value, int | str) else "another"


def note_rest(arguments: Arguments, reasons: Mapping[str, str]) -> None:
    """Say what became of every argument. Raises JobError for a name that is nearly a known one."""
    reader = arguments.reader
    for name in SAID:
        if name in arguments.defaults and name not in arguments.given:
            text = f"{arguments.defaults[name]}: Megatron-LM's default"
            reader.note("defaulted", arguments.spelled(name), text)
    for name, entry in arguments.given.items():
        shown = tidy(str(written(entry.value)))[:60]
        if reader.ignores(entry.key):
            continue
        if name in arguments.used:
            reader.note("read", entry.key, shown)
        else:
            if name not in reasons:
                _refuse_near(arguments, name, entry)
            value = "" if entry.value is True else f"{shown}: "
            why = reasons.get(name, NO_USE)
            reader.note("ignored", entry.key, f"{value}{why}")


def _refuse_near(arguments: Arguments, name: str, entry: Entry) -> None:
    if name in KNOWN:  # no misspelling, though this launch has no use for it
        return
    near = difflib.get_close_matches(name[:80], KNOWN, 1, 0.9)
    if near and not any(name in (f"{near[0]}s", f"no_{near[0]}") for _ in near):
        text = f"{arguments.spelled(near[0])}, which is near it"
        raise JobError(f"{entry.file}: {tidy(entry.key)}: found an unknown argument, expected {text}")
