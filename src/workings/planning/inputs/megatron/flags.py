"""The words of a command line, each with the flag that takes it, as argparse takes them apart."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from workings.planning.inputs.given import Reader, tidy, wrong
from workings.planning.inputs.megatron import shell
from workings.planning.inputs.megatron.names import ALIASES, KNOWN, LAUNCHER
from workings.planning.job import JobError

Pairs = list[tuple[str, Any]]
_FLAG = re.compile(r"--([A-Za-z][A-Za-z0-9_-]*)(?:=(.*))?", re.DOTALL)
_SHORT = re.compile(r"-[A-Za-z]+")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_SHELL = re.compile(r"(?:^|[\s\"'(])--[a-z]")


def looks_like_shell(text: str) -> bool:
    """Whether a text holds flags."""
    return _SHELL.search(text) is not None


@dataclass
class _Line:
    """A command: flags with their words, the words that start the program, those that nothing takes."""

    flags: list[tuple[str, list[str]]] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)
    program: bool = False

    def pairs(self) -> Pairs:
        """Flags with what follows them: true where nothing does, a value, or a list of values."""
        return [(name, _values(words)) for name, words in self.flags]


def from_shell(reader: Reader, text: str) -> tuple[Pairs, bool]:
    """The flags of the command that trains, in order; of all variables where there is no command.

    Also whether it is a command, of which the last of several equal flags counts. Raises JobError.
    """
    file = reader.file
    read = shell.script(file, text)
    lines = [_line(_resplit(file, words)) for words in read.commands]
    for name, _ in _line(_resplit(file, read.conditional)).flags:
        if name in KNOWN:
            key = f"--{name.replace('_', '-')}"
            raise wrong(file, key, "it under a condition", "it outside: the script is not run")
    training = [line for line in lines if _is_training(line)]
    if len(training) > 1:
        raise JobError(
            f"{file}: found {len(training)} commands with Megatron-LM's arguments, expected one"
        )
    if training:
        _note_words(reader, training[0])
        return training[0].pairs(), True
    apart = [_line(_resplit(file, words)) for words in read.variables.values()]
    return [pair for line in apart for pair in line.pairs()], False


def _is_training(line: _Line) -> bool:
    return any("parallel_size" in n or n in ("num_layers", "micro_batch_size") for n, _ in line.flags)


def _resplit(file: str, words: list[str]) -> list[str]:
    """Words that are command lines themselves, as `bash -c "…"` has them, taken apart."""
    plain: list[str] = []
    for word in words:
        inner = looks_like_shell(word) and any(c.isspace() for c in word)
        if inner and shell.UNKNOWN in word:
            plain += shell.blanks(word)
        elif inner:
            plain += [part for line in shell.script(file, word).commands for part in line]
        else:
            plain.append(word)
    return plain


def _line(words: list[str]) -> _Line:
    """Every word of a command in its place. Before the program, a flag takes one value at most."""
    program = next((at for at, w in enumerate(words) if w.endswith(".py") and w[0] != "-"), -1)
    line, room = _Line(program=program >= 0), 0
    for at, word in enumerate(words):
        match = _FLAG.fullmatch(word)
        if match and at != program:
            name = match[1].replace("-", "_")
            line.flags.append((name, [] if match[2] is None else [match[2]]))
            room = 0 if match[2] is not None else _most(name, at < program)
        elif at == program or _SHORT.fullmatch(word):
            room = 0
            (line.command if at <= program else line.stray).append(word)
        elif room and not (line.flags[-1][1] and _lone_mark(word)):
            line.flags[-1][1].append(word)
            room -= 1
        else:
            starts = at <= program or (program < 0 and not line.flags)
            (line.command if starts else line.stray).append(word)
    return line


def _most(name: str, before: bool) -> int:
    """How many words a flag may take; too many of one that has a single value are refused later."""
    return 1 if before or ALIASES.get(name, name) in LAUNCHER else 10**6


def _lone_mark(word: str) -> bool:
    """Whether a word is nothing but what only running the script could tell."""
    return word[:1] == word[-1:] == shell.UNKNOWN


def _values(words: list[str]) -> Any:
    values = [int(word) if _WHOLE.fullmatch(word) else word for word in words]
    return values if len(values) > 1 else values[0] if values else True


def _note_words(reader: Reader, line: _Line) -> None:
    """Say what became of words that belong to no flag. Raises JobError for what argparse refuses."""
    if line.command:
        reader.note("read", " ".join(line.command).replace(shell.UNKNOWN, ""), "starts the program")
    for word in line.stray:
        bare = word.replace(shell.UNKNOWN, "")
        if shell.UNKNOWN in word:
            reader.note("ignored", bare, "what it holds is not read: the script is not run")
        elif line.program:
            raise JobError(f"{reader.file}: found {tidy(bare)[:60]!r}, expected a flag that takes it")
        else:
            reader.note("ignored", bare, "no flag takes it")
