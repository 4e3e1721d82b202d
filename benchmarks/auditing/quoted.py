"""The directive `quoted`: the claims of a text in the order of its lines, each with the words it is in.

Claims, readings and scenarios are those of another report's claims files (`{claims}`, `{formulas}`);
`place` and `quote` there tie them to the text. Beside each stands what it is worked out from here, the
verdict, and how the checker judged the same words by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from auditing.audited import facts_beside
from auditing.bands import KEYS as BAND_KEYS
from auditing.claims import AGREES, DEPENDS, WRONG, claims_in, shown_together
from auditing.claims import judge as judge_figure
from auditing.comparing import Example
from auditing.facts import Facts, place_of
from auditing.formula_claims import comparison
from auditing.formula_claims import judge as judge_formula
from auditing.kept import kept
from workings.check.verdicts import FLAGS
from workings.derivation.evaluation import DoesNotApplyError
from workings.document.blocks import Code, Inline, Line, Math, Number, Strong, Table, Text
from workings.document.directive import Directive, check_options, text_at
from workings.document.inline import line_of
from workings.document.page import Page
from workings.errors import UserError
from workings.formula import DoesNotEvaluateError, Expr, Name, Num, Relations, evaluate, latex, plain
from workings.units import Format, parse_unit, show
from workings.values.desk import Desk, number_of

MOST_WHOLE = 12  # rows of a table that stay on one page
# A working longer than this is left to the report that derives it; a fraction does not break into lines.
LONGEST = 90
LONGEST_FRACTION = 40
WIDEST = 28  # of what stands between two signs after which a line may break
_BREAKS = re.compile("[*+-]")
_HEAD = ("line", "it says", "that is", "worked out here", "verdict")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A claim with its words, what it asserts, the evidence, the verdict, and the checker's own."""

    start: tuple[int, int]
    quote: str
    asserts: Line
    evidence: Line
    verdict: str
    read: tuple[str, ...]


def quoted(directive: Directive, page: Page) -> Table:
    """```{quoted} REPORT```, `:text: NAME`, `:facts: FACTS.json`: what REPORT/NAME-*.toml claim.

    Without a report: how many of the claims above are wrong, and what the checker made of those.
    """
    check_options(directive, page, ("text", "facts", "label", "caption"))
    if not directive.argument:
        return _crossing(directive, page)
    text = directive.options.get("text", "")
    facts = facts_beside(directive.options.get("facts", ""), directive, page).get(text)
    if facts is None:
        raise page.source.fail(directive.line, f"{{quoted}}: found no facts on {text!r}, expected some")
    found = [
        one for path in _files(directive, page, text) for one in _claims(path, facts, directive, page)
    ]
    found.sort(key=lambda one: one.start)
    label = directive.options.get("label", f"quoted-{text}")
    caption = line_of(directive.options.get("caption", "Its claims, line by line"), page, directive.line)
    kept(page).judge(label, caption, [one.verdict for one in found])
    table = Table(label, page.table_label(label, "claims", directive.line), caption, "rwwww",
                  tuple((Text(h),) for h in _HEAD), tuple(_cells(one) for one in found),
                  long=len(found) > MOST_WHOLE)  # fmt: skip
    kept(page).crossed.append((text, _crossed(found)))
    return table


def _files(directive: Directive, page: Page, text: str) -> list[Path]:
    """The claims files on a text, of a report beside this one."""
    folder = page.source.path.parent.parent / directive.argument
    names = re.compile(r"[a-z0-9][a-z0-9-]*")
    if not names.fullmatch(directive.argument) or not names.fullmatch(text) or not folder.is_dir():
        raise page.source.fail(
            directive.line, f"{{quoted}}: found {directive.argument!r}, expected a report beside this one"
        )
    if not (found := sorted(folder.glob(f"{text}-*.toml"))):
        raise page.source.fail(directive.line, f"{{quoted}}: found no {text}-*.toml in {folder.name}")
    return found


def _claims(path: Path, facts: Facts, directive: Directive, page: Page) -> Iterator[Quoted]:
    file = claims_in(path, directive, page)
    desk = page.desk_at(file.scenario)
    for number, claim in enumerate(file.claims, 1):
        try:
            yield _claim(claim, facts, desk, page, directive.line)
        except UserError as error:
            raise page.source.fail(directive.line, f"{path.name}, claim {number}: {error}") from error


def _claim(claim: dict[str, Any], facts: Facts, desk: Desk, page: Page, line: int) -> Quoted:
    start, quote = place_of(text_at(claim, "place", page, line)), text_at(claim, "quote", page, line)
    end = (start[0], start[1] + len(quote))
    read = dict.fromkeys(f.verdict for f in facts.statements if f.overlaps(start, end))
    what = line_of(text_at(claim, "what", page, line), page, line)
    judged = _figure if "claimed" in claim or {*BAND_KEYS[1:]} & claim.keys() else _formula
    stated, evidence, verdict = judged(claim, desk, page, line)
    return Quoted(start, quote, (*what, Text(": "), *stated), evidence, verdict, tuple(read))


def _figure(claim: dict[str, Any], desk: Desk, page: Page, line: int) -> tuple[Line, Line, str]:
    """What a claimed figure or range asserts, our value with its numbers, and the verdict."""
    judged = judge_figure(claim, page, desk, line)
    if judged.others:
        words = line_of(judged.reading, page, line)
        return judged.stated, (*shown_together(judged, page), Text(". "), *words), judged.verdict
    shown = judged.ours.shown(page.style)
    value = number_of(shown)
    evidence: Line = (Number(shown.number, shown.unit),)
    try:
        working = desk.workings_of(text_at(claim, "ours", page, line), page.style)
        if working != value and _fits(working):
            sign = "=" if evaluate(working, {}) == evaluate(value, {}) else "≈"
            evidence = (Math(Relations(working, ((sign, value),)), units=True), Text("."))
    except (DoesNotApplyError, DoesNotEvaluateError):
        pass  # the value stands alone
    if judged.verdict == DEPENDS:
        stop = Text(" ") if len(evidence) > 1 else Text(". ")
        evidence = (*evidence, stop, *line_of(judged.reading, page, line))
    return judged.stated, evidence, judged.verdict


def _fits(working: Expr) -> bool:
    """Whether a working can be read in a column."""
    words = plain(working)
    if r"\frac" in latex(working, inline=True) and len(words) > LONGEST_FRACTION:
        return False
    return len(words) <= LONGEST and all(len(part) <= WIDEST for part in _BREAKS.split(words))


def _formula(claim: dict[str, Any], _desk: Desk, page: Page, line: int) -> tuple[Line, Line, str]:
    """What a claimed formula asserts, how it stands to the derived one, and the verdict."""
    compared = comparison(claim, page, line)
    found, words = judge_formula(claim, compared, page, line)
    pieces: list[Inline] = [Text(compared.what.id)]
    words = words or ("One value at every point tried." if found == AGREES else "")
    pieces += [Text(": "), *line_of(words, page, line)] if words else [Text(".")]
    if found == WRONG and (example := compared.example()) is not None:
        pieces += [Text(" "), *_at_a_point(example, page.style)]
    return (Math(compared.says),), tuple(pieces), found


def _at_a_point(example: Example, style: Format) -> Line:
    """Such as: at p = 2, m = 3 the claim gives 1/6, ours 1/3."""
    pieces: list[Inline] = [Text("At ")]
    for position, (name, value) in enumerate(example.letters.items()):
        pieces += [Text(", ")] if position else []
        pieces.append(Math(Relations(Name(name), (("=", _exact(value, style)),))))
    return (*pieces, Text(": "), Math(_exact(example.claimed, style)), Text(", ours "),
            Math(_exact(example.ours, style)), Text("."))  # fmt: skip


def _exact(value: Fraction, style: Format) -> Expr:
    return number_of(show(value, parse_unit("1"), style)) if value.denominator > 1 else Num(value)


def _cells(one: Quoted) -> tuple[Line, ...]:
    """A row; the checker's own verdict stands below ours."""
    verdict = Strong((Text(WRONG),)) if one.verdict == WRONG else Text(one.verdict)
    own = f"; by itself: {', '.join(one.read) or 'none'}"
    return ((Number(str(one.start[0])),), (Code(one.quote),), one.asserts, one.evidence,
            (verdict, Text(own)))  # fmt: skip


def _crossed(found: list[Quoted]) -> tuple[int, ...]:
    """How many claims, how many of them wrong, and what the checker made of these words by itself."""
    wrong = [one for one in found if one.verdict == WRONG]
    accused = sum(bool({*FLAGS} & {*one.read}) for one in wrong)
    unread = sum(not {*one.read} - {"not understood"} for one in wrong)
    return len(found), len(wrong), accused, len(wrong) - accused - unread, unread


def _crossing(directive: Directive, page: Page) -> Table:
    """The counts of all such tables above, text by text."""
    above = kept(page).crossed
    if not above:
        raise page.source.fail(directive.line, "{quoted}: found no such table above it, expected some")
    total = tuple(sum(column) for column in zip(*(counts for _, counts in above), strict=True))
    rows: list[tuple[Line, ...]] = [
        ((Text(text),), *((Number(str(n)),) for n in counts)) for text, counts in [*above, ("all", total)]
    ]
    label = directive.options.get("label", "quoted")
    caption = directive.options.get(
        "caption", "Wrong claims, and what the checker makes of them by itself"
    )
    head = ("text", "claims", "wrong", "accused", "read, no objection", "not found or not read")
    return Table(label, page.table_label(label, caption, directive.line),
                 line_of(caption, page, directive.line), "lrrrrr", tuple((Text(h),) for h in head),
                 tuple(rows), (len(rows) - 1,))  # fmt: skip
