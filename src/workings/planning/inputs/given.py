"""Values as input files give them, each with its place and origin; and what became of every key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from workings.planning.job import JobError, Kind, Noted, Place, Remark
from workings.units import ONE, Dimension, UnitError, parse_quantity

MOST = 10**15
MOST_TEXT = 300
_FEW = 12  # keys that a message may list


@dataclass(frozen=True, slots=True)
class Entry:
    """A value, read or not yet read, and where it stands."""

    value: Any
    kind: Kind
    source: str
    file: str
    key: str

    @property
    def place(self) -> Place:
        """Where it stands, for the figure that is made of it."""
        return Place(self.file, self.key)


Entries: TypeAlias = dict[str, Entry]


@dataclass
class Reader:
    """A file being read: its folder and name, what is noted on the way, what was opened.

    `spell` holds other names of keys: a command line's options. `root` is the folder of the job: a
    file in it that is opened is kept under its path there.
    """

    folder: Path
    file: str
    noted: list[Noted] = field(default_factory=list)
    opened: dict[str, bytes] = field(default_factory=dict)
    spell: Mapping[str, str] = field(default_factory=dict)
    root: Path = Path()

    def beside(self, path: Path) -> Reader:
        """The same for another file: what is noted goes to one list."""
        return replace(self, folder=path.parent, file=path.name)

    def note(self, remark: Remark, key: str, text: str, file: str = "") -> None:
        """Write down what became of a key."""
        self.noted.append(Noted(remark, file or self.file, tidy(key), text))

    def note_instead(self, key: str, text: str, file: str = "") -> None:
        """Say how a key was read, in place of what was noted of it as it stood."""
        place = ("read", file or self.file, tidy(key))
        for at, noted in enumerate(self.noted):
            if (noted.remark, noted.file, noted.key) == place:
                self.noted[at] = noted._replace(text=text)
                return
        self.note("read", key, text, file)

    def ignores(self, key: str) -> bool:
        """Whether it was noted why a key of this file has no effect: then it was not simply read."""
        return any((n.remark, n.file, n.key) == ("ignored", self.file, tidy(key)) for n in self.noted)

    def wrong(self, key: str, found: object, expected: str) -> JobError:
        """The error of a key of this file."""
        return wrong(self.file, self.spell.get(key, key), found, expected)


def entries(
    reader: Reader, prefix: str, raw: object, kind: Kind = "given", note: bool = True
) -> dict[str, Entry]:
    """The keys of a table. A value may be a table of its own with `value` and `source`."""
    if not isinstance(raw, Mapping):
        raise reader.wrong(prefix, raw, "a table")
    found = {}
    for name, value in raw.items():
        key = f"{prefix}.{name}".strip(".")
        key = reader.spell.get(key, key)
        plain, source = value, f"{reader.file}: {tidy(key)}"
        if isinstance(value, Mapping) and set(value) == {"value", "source"}:
            source = words(Entry(value["source"], kind, "", reader.file, f"{key}.source"), MOST_TEXT)
            plain = value["value"]
        found[name] = Entry(plain, kind, source, reader.file, key)
        if note:
            reader.note("read", key, shown(plain))
    return found


def only(reader: Reader, found: Entries, known: Iterable[str]) -> None:
    """Refuse keys that nothing reads. Raises JobError."""
    names = sorted(known)
    for name, entry in found.items():
        if name not in names:
            expected = _meant(name, names) or f"one of {', '.join(names)}"
            text = f"{entry.file}: {tidy(entry.key)}: found an unknown key, expected "
            raise JobError(text + expected)


def _meant(name: str, known: Sequence[str]) -> str:
    """Where a letter or a key of another table belongs; of many known keys the few nearest, or none."""
    from workings.planning.inputs.names import belongs, nearest  # noqa: PLC0415 - it imports this module

    if found := belongs(name):
        return found
    few = len(known) <= _FEW
    return "" if few else nearest(name, known) or f"one of the {len(known)} keys that README lists for it"


def agree(first: Entries, second: Entries) -> Entries:
    """Both together; what both give must be equal, but for what follows or is assumed.

    Raises JobError.
    """
    merged = dict(first)
    for name, entry in second.items():
        other = first.get(name)
        if other is None or other.kind in ("follows", "assumed"):
            merged[name] = entry
        elif entry.kind not in ("follows", "assumed") and entry.value != other.value:
            there = f"{shown(other.value)}, which {other.file} has as {tidy(other.key)}"
            raise wrong(entry.file, entry.key, entry.value, there)
    return merged


def wrong(file: str, key: str, found: object, expected: str) -> JobError:
    """The one sentence of an error: file, key, what was found and what was expected."""
    seen = "nothing" if found is None else shown(found)
    return JobError(f"{tidy(file)}: {tidy(key)}: found {seen}, expected {expected}")


def refused(entry: Entry, expected: str) -> JobError:
    """The error of a value that is not as expected."""
    return wrong(entry.file, entry.key, entry.value, expected)


def shown(value: object) -> str:
    """A value for a message: one printable line, cut short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction | int):
        plain = isinstance(value, int) or value.denominator == 1
        size = max(abs(value.numerator), value.denominator)
        return (f"{int(value):,}" if plain else str(float(value))) if size < 10**40 else "a huge number"
    if isinstance(value, str):
        return repr(value[:60])
    return "a table" if isinstance(value, Mapping) else f"a {type(value).__name__}"


def tidy(text: str) -> str:
    """A name from outside for a message: one printable line, cut short."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))[:100]


def whole(entry: Entry, least: int = 1, most: int = MOST) -> Fraction:
    """A whole number. Raises JobError."""
    value = entry.value
    number = isinstance(value, int | Fraction) and not isinstance(value, bool)
    if not number or Fraction(value).denominator != 1 or not least <= value <= most:
        raise refused(entry, f"a whole number from {least:,} to {most:,}")
    return Fraction(value)


def flag(entry: Entry) -> Fraction:
    """1 for true, 0 for false. Raises JobError."""
    if entry.value not in (0, 1) or isinstance(entry.value, float):
        raise refused(entry, "true or false")
    return Fraction(int(entry.value))


def share(entry: Entry) -> Fraction:
    """A part of a whole: 0.75 or `75 %`. Raises JobError."""
    expected = "a share from 0 to 1, such as 0.75 or '75 %'"
    part = ratio(entry, expected)
    if part > 1:
        raise refused(entry, expected)
    return part


def ratio(entry: Entry, expected: str) -> Fraction:
    """A number without a unit, from 0 on: 0.75, `.75` or `75 %`. Raises JobError."""
    try:
        return quantity(entry, ONE, "0.75", zero=True)
    except JobError as error:
        raise refused(entry, expected) from error


def words(entry: Entry, most: int = 80) -> str:
    """One line of text. Raises JobError."""
    value = entry.value
    if not isinstance(value, str) or not value.strip() or len(value) > most or not value.isprintable():
        raise refused(entry, f"a line of at most {most} characters")
    return value.strip()


def one_of(entry: Entry, choices: Iterable[str]) -> str:
    """One of some words. Raises JobError."""
    known = list(choices)
    if entry.value not in known:
        raise refused(entry, f"one of {', '.join(known)}")
    return str(entry.value)


def quantity(entry: Entry, dimension: Dimension, example: str, zero: bool = False) -> Fraction:
    """A number with its unit, in base units; a plain number where it has none. Raises JobError."""
    expected = f"a {'' if zero else 'positive '}quantity such as '{example}'"
    value = entry.value
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and not any(dimension.exponents):
        number = Fraction(value)
    elif isinstance(value, str) and len(value) <= MOST_TEXT:
        try:
            read = parse_quantity(value, dimension)
        except UnitError as error:
            raise JobError(f"{tidy(entry.file)}: {tidy(entry.key)}: {error}") from error
        if read.dimension != dimension:
            raise refused(entry, expected)
        if dimension.currency and "USD" not in value:
            raise refused(entry, f"{expected}: the plan knows no rates of exchange, only USD")
        number = read.value
    else:
        raise refused(entry, expected)
    if number < 0 or (number == 0 and not zero):
        raise refused(entry, expected)
    return number
