"""The directive `claims`: what a published derivation says beside what follows here.

The verdict is computed. A claim agrees if it is our exact value, or if ours lies in the range it
states; agrees after rounding if ours rounds to its printed digits; depends on a convention if it
does under a named other reading; is not decidable where it does in one of the cases that the text leaves
open and not in another; and is wrong otherwise.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from auditing.bands import KEYS as BAND_KEYS
from auditing.bands import Band, band_of
from auditing.kept import kept
from auditing.open_claims import KEYS as OPEN_KEYS
from auditing.open_claims import cases_of, in_words, together
from workings.document.blocks import Inline, Line, Number, Strong, Table, Text
from workings.document.directive import (
    Directive,
    check_keys,
    check_options,
    tables_at,
    text_at,
)
from workings.document.front import DocumentError, toml_problem
from workings.document.inline import line_of
from workings.document.page import Page
from workings.errors import UserError
from workings.units import Quantity, parse_quantity, parse_unit
from workings.values.desk import Desk, Measured

AGREES = "agrees"
ROUNDED = "agrees after rounding"
DEPENDS = "depends on a convention"
WRONG = "wrong"

QUOTE_KEYS = ("place", "quote")  # for the directive `quoted`
_KEYS = ("what", *QUOTE_KEYS, "claimed", *BAND_KEYS, "ours", "reading", *OPEN_KEYS, "why")
_PRINTED = re.compile(r"\s*[0-9,]+(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


def claims(directive: Directive, page: Page) -> Table:
    """```{claims} claims.toml```: one row a claim, in the order of the file."""
    check_options(directive, page, ("label", "caption", "at"))
    file, page = read_claims(directive, page), page.as_printed()  # published figures follow nothing
    desk = page.desk_at(directive.options.get("at", file.scenario))
    judged = [_named_row(n, claim, desk, directive, page) for n, claim in enumerate(file.claims, 1)]
    label = directive.options.get("label", "claims")
    caption = directive.options.get("caption", "The published figures beside ours")
    head = tuple((Text(h),) for h in ("figure", "published", "ours", "verdict", "why"))
    words = line_of(caption, page, directive.line)
    kept(page).judge(label, words, [found for found, _ in judged])
    return Table(label, page.table_label(label, caption, directive.line), words, "wrrww", head,
                 tuple(row for _, row in judged))  # fmt: skip


def verdict(claimed: Quantity, text: str, ours: Measured, others: list[Measured]) -> str:
    """How a printed figure stands to our exact value and to other readings of it."""
    if claimed.dimension != ours.dimension:
        return WRONG
    if claimed.value == ours.value:
        return AGREES
    if rounds_to(ours.value, claimed, text):
        return ROUNDED
    same = [other for other in others if other.dimension == claimed.dimension]
    if any(rounds_to(other.value, claimed, text) for other in same):
        return DEPENDS
    return WRONG


def rounds_to(value: Fraction, claimed: Quantity, text: str) -> bool:
    """Whether a value lies within half a unit of the last digit the claim prints."""
    match = _PRINTED.match(text)
    if match is None:
        return False
    places = len(match[1] or "") - int(match[2] or 0)
    unit = text[match.end() :].strip()
    scale = parse_unit(unit).scale if unit else Fraction(1)
    step = _last_digit(match.group(), places) * scale
    return abs(value - claimed.value) <= step / 2


def _last_digit(number: str, places: int) -> Fraction:
    """The worth of the last digit that carries meaning: 3,520 is read to the nearest ten."""
    if "." in number:
        return Fraction(1, 10**places) if places >= 0 else Fraction(10) ** -places
    digits = re.split("[eE]", number)[0].replace(",", "").strip()
    zeros = len(digits) - len(digits.rstrip("0")) if digits.strip("0") else 0
    return Fraction(10) ** (zeros - places)


def _named_row(
    number: int, claim: dict[str, Any], desk: Desk, directive: Directive, page: Page
) -> tuple[str, tuple[Line, ...]]:
    """A claim's verdict and row; what is wrong with it is said with the claim's number."""
    where = f"{directive.argument}, claim {number}"
    check_keys(claim, where, page, directive.line, _KEYS)
    for kind in ("reading", "case"):
        for other in tables_at(claim, kind, page, directive.line):
            check_keys(other, f"{where}, {kind}", page, directive.line, ("name", "ours"))
    try:
        return _row(claim, page, desk, directive.line)
    except DocumentError:
        raise
    except UserError as error:
        raise page.source.fail(directive.line, f"{where}: {error}") from error


def _row(claim: dict[str, Any], page: Page, desk: Desk, line: int) -> tuple[str, tuple[Line, ...]]:
    judged = judge(claim, page, desk, line)
    why = " ".join(part for part in (judged.reading, text_at(claim, "why", page, line)) if part)
    return judged.verdict, (
        line_of(text_at(claim, "what", page, line), page, line),
        judged.stated,
        shown_together(judged, page),
        (Strong((Text(WRONG),)),) if judged.verdict == WRONG else (Text(judged.verdict),),
        line_of(why, page, line),
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """What a claim states, our value, the verdict, and the reading that it depends on.

    `others` are our values in the further cases of a claim that leaves something open.
    """

    stated: Line
    ours: Measured
    verdict: str
    reading: str
    others: tuple[Measured, ...] = ()


def shown_together(judged: Judged, page: Page) -> Line:
    """Our value, or those of all cases: `0.55 or 1.92`."""
    pieces: list[Inline] = []
    for ours in (judged.ours, *judged.others):
        shown = ours.shown(page.style)
        pieces += [Text(" or ")] if pieces else []
        pieces.append(Number(shown.number, shown.unit))
    return tuple(pieces)


def judge(claim: dict[str, Any], page: Page, desk: Desk, line: int) -> Judged:
    """A claimed figure or range beside our value, or beside those of all cases."""
    if not (cases := cases_of(claim)):
        return _judged(claim, page, desk, line)
    found = [_judged(case, page, desk, line) for _, case in cases]
    verdict_ = together([one.verdict for one in found], (AGREES, ROUNDED))
    names = [(name, one.verdict) for (name, _), one in zip(cases, found, strict=True)]
    words = in_words(text_at(claim, "open", page, line), names)
    first, *rest = (one.ours for one in found)
    return Judged(found[0].stated, first, verdict_, words, tuple(rest))


def _judged(claim: dict[str, Any], page: Page, desk: Desk, line: int) -> Judged:
    ours = desk.measure(text_at(claim, "ours", page, line))
    readings = [(text_at(r, "name", page, line), desk.measure(text_at(r, "ours", page, line)))
                for r in claim.get("reading", [])]  # fmt: skip
    if any(key in claim for key in BAND_KEYS):
        band = band_of(claim, page, line)
        return Judged((Text(band.words),), ours, *_in_band(band, ours, readings))
    text = text_at(claim, "claimed", page, line)
    claimed = parse_quantity(text)
    found = verdict(claimed, text, ours, [other for _, other in readings])
    reading = _that_gives(claimed, text, readings) if found == DEPENDS else ""
    return Judged((Number(*_number_and_unit(text)),), ours, found, reading)


def _in_band(band: Band, ours: Measured, readings: list[tuple[str, Measured]]) -> tuple[str, str]:
    """The verdict on a range, and the reading that it depends on."""
    if band.holds(ours):
        return AGREES, ""
    fitting = [name for name, other in readings if band.holds(other)]
    return (DEPENDS, f"{fitting[0]}.") if fitting else (WRONG, "")


def _that_gives(claimed: Quantity, text: str, readings: list[tuple[str, Measured]]) -> str:
    """The first reading under which a figure is right."""
    return next(
        f"{name}." for name, other in readings
        if other.dimension == claimed.dimension and rounds_to(other.value, claimed, text)
    )  # fmt: skip


def _number_and_unit(text: str) -> tuple[str, str]:
    match = _PRINTED.match(text)
    end = match.end() if match else len(text)
    return text[:end].strip(), text[end:].strip() or "1"


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """The claims of a file, and the scenario they speak of where it names one."""

    claims: list[dict[str, Any]]
    scenario: str | None


def read_claims(directive: Directive, page: Page) -> ClaimsFile:
    """The claims file beside the source. Raises DocumentError."""
    name = directive.argument
    path = page.source.path.parent / name
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*\.toml", name) or not path.is_file():
        raise page.source.fail(
            directive.line, f"{{claims}}: found {name!r}, expected a TOML file beside the source"
        )
    return claims_in(path, directive, page)


def claims_in(path: Path, directive: Directive, page: Page) -> ClaimsFile:
    """A claims file. Raises DocumentError at the directive that names it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as error:  # TOML and UTF-8 among them
        problem, line = toml_problem(error)
        raise page.source.fail(
            directive.line, f"{path.name}:{line}: not valid TOML: {problem}"
        ) from error
    check_keys(data, path.name, page, directive.line, ("scenario", "claim"))
    if not (found := tables_at(data, "claim", page, directive.line)):
        raise page.source.fail(directive.line, f"{path.name}: found no [[claim]], expected one or more")
    return ClaimsFile(found, text_at(data, "scenario", page, directive.line) or None)
