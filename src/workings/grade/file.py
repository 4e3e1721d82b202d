"""What an answer key's TOML may hold, and how it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec

from workings.errors import UserError
from workings.scenario.presets import read
from workings.system.tables import explained

FOLDER = Path(__file__).parent

Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
Words: TypeAlias = tuple[Annotated[str, msgspec.Meta(min_length=1, max_length=80)], ...]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Marks: TypeAlias = Annotated[float, msgspec.Meta(gt=0, le=1000)]
Digits: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=12)]
Identifier: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,30}$")]


class AnswerKeyError(UserError):
    """An answer key that cannot be used: file, key, what was found and what was expected."""


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A value the catalogue gives: a `derivation`, or a `value` such as "{best-mesh-batch-max}/64".

    `near` are words of which one stands near the figure; `share` is the part of the marks it earns;
    `hint` is told to whoever gave it.
    """

    words: Text = ""
    derivation: Text = ""
    value: Text = ""
    at: Text = ""
    set: dict[str, Text] = {}
    near: Words = ()
    share: Share | None = None
    hint: Text = ""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing asked for: the right value, other accepted readings, and known wrong answers.

    `within` is "printed" (right to the digits shown, `digits` of them at least; if nothing is said 2, and
    3 for other readings), "exact", or a tolerance such as "1 %". A figure that has a noun behind it,
    such as "44 GPUs", is no answer unless the noun is one of `noun`, where that is given.
    """

    id: Identifier
    words: Text
    marks: Marks
    derivation: Text = ""
    value: Text = ""
    at: Text = ""
    set: dict[str, Text] = {}
    unit: Text = ""
    within: Text = "printed"
    digits: Digits | None = None
    near: Words = ()
    noun: Words = ()
    accept: tuple[Reading, ...] = ()
    wrong: tuple[Reading, ...] = ()


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One part of the exercise; `heading` are further ways to begin the student's part."""

    id: Identifier
    title: Text = ""
    question: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    heading: Words = ()
    answer: Annotated[tuple[Answer, ...], msgspec.Meta(min_length=1)]


class KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole answer key. `follow_through` is the share for what follows from an earlier slip."""

    title: Text
    scenario: Text = ""
    follow_through: Share = 0.5
    part: Annotated[tuple[Part, ...], msgspec.Meta(min_length=1)]


def key_names() -> list[str]:
    """The keys that come with the package."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_key(where: str | Path) -> Path:
    """The file of a key: one of ours by name, or a path. Raises AnswerKeyError."""
    text = str(where)
    if text in key_names():
        return FOLDER / f"{text}.toml"
    path = Path(text)
    try:
        found = path.is_file()
    except OSError:  # such as a name longer than the system allows
        found = False
    if not found:
        known = ", ".join(key_names())
        raise AnswerKeyError(f"{text[:100]!r}: no such file, expected a key in TOML, or one of {known}")
    return path


def read_key(path: Path) -> KeyFile:
    """A key, every field checked. Raises UserError naming file, key, found and expected."""
    raw = read(path)
    try:
        key = msgspec.convert(raw, KeyFile)
    except msgspec.ValidationError as error:
        raise AnswerKeyError(f"{path.name}: {_located(raw, error)}") from error
    _check_names(path, key)
    return key


def _check_names(path: Path, key: KeyFile) -> None:
    """No id twice; every reading has a value, and one way to say it."""
    _once([part.id for part in key.part], f"{path.name}: part")
    for part in key.part:
        _once([answer.id for answer in part.answer], f"{path.name}: part {part.id}, answer")
        for answer in part.answer:
            readings: list[Answer | Reading] = [answer, *answer.accept, *answer.wrong]
            for reading in readings:
                if bool(reading.derivation) == bool(reading.value):
                    found = "both" if reading.value else "neither"
                    place = f"{path.name}: part {part.id}, answer {answer.id}, {reading.words!r}"
                    raise AnswerKeyError(f"{place}: found {found}, expected a derivation or a value")


def _once(ids: list[str], place: str) -> None:
    for index, one in enumerate(ids):
        if one in ids[:index]:
            raise AnswerKeyError(f"{place} {one}: found this id twice, expected each once")


# The tables inside each kind of table.
_INSIDE: dict[type[msgspec.Struct], dict[str, type[msgspec.Struct]]] = {
    KeyFile: {"part": Part}, Part: {"answer": Answer}, Answer: {"accept": Reading, "wrong": Reading},
    Reading: {},
}  # fmt: skip


def _located(table: Any, error: msgspec.ValidationError, shape: type[msgspec.Struct] = KeyFile) -> str:
    """The message for the innermost table that is at fault, with its number: msgspec says `[...]`."""
    for name, inner in _INSIDE[shape].items():
        for number, part in enumerate(_tables(table, name), 1):
            try:
                msgspec.convert(part, inner)
            except msgspec.ValidationError as found:
                return f"{name} {number}, {_located(part, found, inner)}"
    return explained(str(error), table, shape)


def _tables(table: Any, name: str) -> list[Any]:
    found = table.get(name) if isinstance(table, dict) else None
    return found if isinstance(found, list) else []
