"""One step judged: by itself, then against what its letters mean elsewhere in the document.

Whatever makes a step true is tried before it is called wrong: the other reading of `8/nX`, the
value before it was rounded for print, every value a letter has in the document, and the formulas
that define it. What remains false under all of them is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.check.chains import Chain, Member
from workings.check.comparing import Assumptions, Outcome, compare, explain
from workings.check.comparing.scales import units_in
from workings.check.definitions import Definition, Definitions, put_in
from workings.check.phrasing import applies_function, converts
from workings.check.rough import alike
from workings.check.substituting import substitution
from workings.check.verdicts import Layer
from workings.formula.plain import plain
from workings.formula.tree import Expr, Name, Num, Product, names_in, walk

LARGEST = 600  # parts of a formula after letters have been replaced
MOST_EARLIER = 16  # sides of the chain, and meanings of a name, that a side is compared with
FULLY = 2  # readings compared exactly; the others only where rough numbers are alike
GOOD = ("ok", "rounds", "truncates")
ADMITTED = (*GOOD, "depends")


@dataclass(frozen=True, slots=True)
class Step:
    """Two neighbouring members of a chain, and where they stand."""

    chain: Chain
    index: int  # of the relation
    offset: int  # in the file
    section: int

    @property
    def relation(self) -> str:
        """The relation, which is ≈ where the right side is said to be approximate."""
        text = self.chain.relations[self.index].text
        return "≈" if text == "=" and self.right.about else text

    @property
    def left(self) -> Member:
        """The side before the relation."""
        return self.chain.members[self.index]

    @property
    def right(self) -> Member:
        """The side behind it."""
        return self.chain.members[self.index + 1]

    @property
    def texts(self) -> tuple[str, str]:
        """Both sides as they are written."""
        text = self.chain.block.text
        return text[self.left.start : self.left.end], text[self.right.start : self.right.end]


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome, in which layer it was found, and how the step was read."""

    outcome: Outcome
    layer: Layer = "arithmetic"
    read_as: str = ""
    sides: tuple[Expr, Expr] | None = None  # what was compared in the end
    defines: bool = False


def judge(step: Step, known: Definitions, assuming: Assumptions) -> Judgement:
    """The verdict on one step."""
    left, right = step.left.expression, step.right.expression
    if left is None or right is None:
        return Judgement(Outcome("not understood", reason=_unread(step)))
    if (given := _as_definition(step, left, right, known, assuming)) is not None:
        return given
    if isinstance(left, Num) and converts(*step.texts):
        outcome = Outcome("ok", reason="says what one is worth in the other")
        return Judgement(outcome, read_as=_shown((left, right), step.relation))
    tries = [(left, right)]
    tries += [(other, right) for other in step.left.alternatives]
    tries += [(left, other) for other in step.right.alternatives]
    first = best = None
    for pair in tries:
        outcome = compare(pair[0], step.relation, pair[1], assuming)
        found = Judgement(outcome, read_as=_shown(pair, step.relation), sides=pair)
        first = first or found
        best = _better(best, found)
    assert first is not None and best is not None  # noqa: S101,PT018 - there is one pair at least
    if best.outcome.verdict in GOOD:
        return best
    best = _better(best, _before_rounding(step, assuming))
    if best.outcome.verdict in GOOD:
        return best
    best = _better(best, _with_definitions(step, left, right, known, assuming))
    if best.outcome.verdict in ("wrong", "unit") and _torn(step):
        return replace(best, outcome=replace(best.outcome, verdict="undecided"))
    if best.outcome.verdict == "undecided" and step.relation in ("=", "≈"):
        return _by_shape(step, left, right) or _unlike_formulas(step, left, right, known, assuming) or best
    return best


def _torn(step: Step) -> bool:
    """Whether the relation begins a formula of its own, behind words: the sides may not belong together."""
    block, relation = step.chain.block, step.chain.relations[step.index]
    mark = block.mark_at(relation.start)
    if mark < 0 or block.mark_at(max(step.left.end - 1, 0)) == mark:
        return False
    return not block.text[block.marks[mark].start : relation.start].strip()


def _unlike_formulas(
    step: Step, left: Expr, right: Expr, known: Definitions, assuming: Assumptions
) -> Judgement | None:
    """A step between formulas that is false once the names in it are replaced by their formulas."""
    if not names_in(right) or isinstance(right, Name) or in_condition(step):
        return None
    used = [
        c[0] for name in (*names_in(left), *names_in(right))
        if (c := [d for d in known.candidates(name, step.offset, step.section) if not d.is_value])
    ]  # fmt: skip
    if not used:
        return _lost_letter(step, left, right, known, assuming)
    if not all(d.offset < step.offset and known.is_settled(d, step.section) for d in used):
        return None
    before, after = _by_formulas(left, known, step), _by_formulas(right, known, step)
    outcome = compare(before, step.relation, after, assuming)
    missing = _missing_letter(before, after, assuming) or _missing_letter(after, before, assuming)
    if missing is not None and outcome.verdict == "undecided":
        outcome = Outcome("wrong", reason=f"the factor {missing} stands on one side only",
                          written=plain(right), expected=plain(before))  # fmt: skip
    if outcome.verdict != "wrong":
        return None
    said = "; ".join(f"{d.name} = {plain(d.expression)} ({d.source})" for d in used[:6])
    return Judgement(outcome, "follows", f"{_shown((before, after), step.relation)}; {said}", (before, after))


def _lost_letter(
    step: Step, left: Expr, right: Expr, known: Definitions, assuming: Assumptions
) -> Judgement | None:
    """`(R - 1) Q/R = (R - 1)/R`: one side lacks a letter that nothing in the document gives a value."""
    if step.relation != "=" or isinstance(left, Name):
        return None
    missing = _missing_letter(left, right, assuming) or _missing_letter(right, left, assuming)
    if missing is None or known.by_name.get(missing):
        return None
    outcome = Outcome("wrong", reason=f"the factor {missing} stands on one side only",
                      written=plain(right), expected=plain(left))  # fmt: skip
    return Judgement(outcome, "arithmetic", _shown((left, right), step.relation), (left, right))


def _by_shape(step: Step, left: Expr, right: Expr) -> Judgement | None:
    """Numbers in place of letters that have no values: each letter must get one."""
    found = substitution(left, right)
    if found is None:
        return None
    said = ", ".join(f"{name} = {plain(number)}" for name, number in found.values.items())
    shown = f"{_shown((left, right), step.relation)}; {said}"
    if not found.clash:
        return Judgement(Outcome("ok", reason=f"puts in {said}"), "arithmetic", shown)
    reason = f"{found.clash} is replaced by {plain(found.values[found.clash])} and by another number"
    return Judgement(Outcome("wrong", reason=reason, written=plain(right), expected=plain(left)),
                     "arithmetic", shown, (left, right))  # fmt: skip


def _unread(step: Step) -> str:
    """Which side is no formula."""
    sides = [m for m in (step.left, step.right) if m.expression is None]
    words = step.chain.block.text[sides[0].start : sides[0].end]
    return f"{' '.join(words.split())[:60]!r} could not be read as a formula"


def _shown(pair: tuple[Expr, Expr], relation: str) -> str:
    return f"{plain(pair[0])} {relation} {plain(pair[1])}"


_RANK = {"ok": 0, "rounds": 1, "truncates": 2, "depends": 3, "undecided": 4, "unit": 5, "wrong": 5,
         "not understood": 6}  # fmt: skip


def _better(best: Judgement | None, other: Judgement | None) -> Judgement:
    """The reading that speaks most for the author; a step wrong by itself is not saved by doubt."""
    if best is None or other is None:
        found = best or other
        assert found is not None  # noqa: S101 - one of the two is there
        return found
    if best.outcome.verdict in ("wrong", "unit") and other.outcome.verdict == "undecided":
        return best
    if best.outcome.verdict == "undecided" and other.outcome.verdict in ("wrong", "unit"):
        return other
    return other if _RANK[other.outcome.verdict] < _RANK[best.outcome.verdict] else best


def _before_rounding(step: Step, assuming: Assumptions) -> Judgement | None:
    """Against earlier sides of the chain: `a ≈ b ≈ c` where c was computed from a."""
    right = step.right.expression
    best: Judgement | None = None
    for earlier in step.chain.members[max(0, step.index - MOST_EARLIER) : step.index]:
        if earlier.expression is None or right is None or isinstance(earlier.expression, Name):
            continue
        if names_in(earlier.expression):
            continue
        outcome = compare(earlier.expression, step.relation, right, assuming)
        if outcome.verdict in ADMITTED:
            verdict = "depends" if outcome.verdict == "depends" else "rounds"
            reading = outcome.reading or "from the value before it was rounded for print"
            outcome = replace(outcome, verdict=verdict, reading=reading)
            pair = (earlier.expression, right)
            best = _better(best, Judgement(outcome, "arithmetic", _shown(pair, step.relation), pair))
    return best


def _as_definition(
    step: Step, left: Expr, right: Expr, known: Definitions, assuming: Assumptions
) -> Judgement | None:
    """A first side that is a bare name is given its meaning; one that has a meaning is compared."""
    if step.index > 0 or not isinstance(left, Name) or step.relation not in ("=", "≈"):
        return None
    if isinstance(right, Name) and not isinstance(left, Name):
        return None
    outcome = Outcome("ok", reason=f"gives {left.id} its meaning")
    plainly = Judgement(outcome, read_as=_shown((left, right), step.relation), defines=True)
    checked = _against_meaning(step, left, right, known, assuming)
    return (
        checked or contradiction(step, left, right, known, assuming)
        or other_value(step, left, right, known, assuming) or plainly
    )  # fmt: skip


def _against_meaning(
    step: Step, left: Name, right: Expr, known: Definitions, assuming: Assumptions
) -> Judgement | None:
    """What the name was defined to be before, where that says something about this value."""
    best: Judgement | None = None
    for meaning in known.candidates(left.id, step.offset, step.section)[:MOST_EARLIER]:
        if meaning.offset > step.offset:
            continue
        found = _unfolded(step, meaning.expression, right, known, assuming, [meaning])
        if found is not None and found.outcome.verdict in ADMITTED:
            best = _better(best, found)
    return best


def _with_definitions(
    step: Step, left: Expr, right: Expr, known: Definitions, assuming: Assumptions
) -> Judgement | None:
    """With values and formulas of the document in place of letters."""
    return _unfolded(step, left, right, known, assuming, [])


def _unfolded(
    step: Step, left: Expr, right: Expr, known: Definitions, assuming: Assumptions, used: Sequence[Definition]
) -> Judgement | None:
    """The best verdict over the ways to replace letters, up to a few levels deep."""
    best: Judgement | None = None
    if used and (not names_in(left) or alike(left, right)):
        best = _judged(step, left, right, known, assuming, used)
        if best.outcome.verdict in GOOD:
            return best
    for sides in ("left", "both"):
        names = tuple(dict.fromkeys((*names_in(left), *(names_in(right) if sides == "both" else ()))))
        if sides == "both" and not names_in(right):
            break
        for tried, (values, chosen) in enumerate(known.readings(names, step.offset, step.section)):
            new_left = _deep(left, values, known, step)
            new_right = _deep(right, values, known, step) if sides == "both" else right
            open_letters = names_in(new_left) or names_in(new_right)
            if (tried >= FULLY or open_letters) and not alike(new_left, new_right):
                continue
            found = _judged(step, new_left, new_right, known, assuming, [*used, *chosen])
            best = _better(best, found) if best else found
            if best.outcome.verdict in GOOD:
                return best
    return best


def size(expression: Expr) -> int:
    """How many parts a formula has."""
    return sum(1 for _ in walk(expression))


def _deep(expression: Expr, values: dict[str, Expr], known: Definitions, step: Step) -> Expr:
    """Replace letters, then letters of what replaced them, with the likeliest meaning."""
    larger = put_in(expression, values)
    if size(larger) > LARGEST:
        return expression
    expression = larger
    for _ in range(3):
        names = names_in(expression)
        more = {n: values[n] for n in names if n in values}
        more |= {
            n: c[0].expression for n in names
            if n not in values and (c := known.candidates(n, step.offset, step.section))
        }  # fmt: skip
        if not more:
            break
        larger = put_in(expression, more)
        if size(larger) > LARGEST:
            break
        expression = larger
    return expression


def _judged(
    step: Step, left: Expr, right: Expr, known: Definitions, assuming: Assumptions, used: Sequence[Definition]
) -> Judgement:
    outcome = compare(left, step.relation, right, assuming)
    other_unit = outcome.factor is not None and not units_in(right) and _power_of_1000(outcome.factor)
    if outcome.verdict in ("wrong", "unit") and (other_unit or not _may_accuse(step, known, used)):
        outcome = replace(outcome, verdict="undecided", reason="it may be a condition and no result")
    said = "; ".join(f"{d.name} = {plain(d.expression)} ({d.source})" for d in used[:6])
    read_as = _shown((left, right), step.relation) + (f"; {said}" if said else "")
    return Judgement(outcome, "follows", read_as, (left, right))


def contradiction(
    step: Step, left: Name, right: Expr, known: Definitions, assuming: Assumptions
) -> Judgement | None:
    """A second formula for a name that is off from the first by one number or one letter.

    Only within a section, and only formulas: people give a letter new values, and new formulas for
    new cases, but a formula that differs by one factor from the one just derived is a slip.
    """
    if not names_in(right) or in_condition(step):
        return None
    earlier = [
        d for d in known.candidates(left.id, step.offset, step.section)
        if d.offset < step.offset and d.section == step.section and not d.is_value
    ]  # fmt: skip
    if not earlier or isinstance(earlier[0].expression, Name):
        return None
    first = earlier[0]
    before, after = (_by_formulas(e, known, step) for e in (first.expression, right))
    if set(names_in(after)) - set(names_in(before)) or len(set(names_in(before)) - set(names_in(after))) > 1:
        return None
    outcome = compare(before, step.relation, after, assuming)
    missing = _missing_letter(before, after, assuming)
    if outcome.verdict == "undecided" and missing is None:
        return None
    if outcome.verdict == "wrong" and outcome.factor is None and missing is None:
        if not explain(before, after, outcome):
            return None
    if outcome.verdict not in ("wrong", "undecided"):
        return None
    reason = f"line {first.line} gives {left.id} = {plain(first.expression)}"
    reason += f"; the factor {missing} is missing" if missing else f"; {outcome.reason}"
    outcome = Outcome("wrong", reason=reason, written=plain(right), expected=plain(first.expression),
                      factor=outcome.factor)  # fmt: skip
    return Judgement(outcome, "follows", _shown((left, right), step.relation), (before, after), defines=True)


def other_value(
    step: Step, left: Name, right: Expr, known: Definitions, assuming: Assumptions
) -> Judgement | None:
    """A value for a name whose formula, a little before, gives another: its letters mean one thing each."""
    if not isinstance(right, Num) or in_condition(step) or step.relation != "=":
        return None
    formulas = [d for d in known.candidates(left.id, step.offset, step.section) if not d.is_value]
    if len(formulas) != 1 or formulas[0].section != step.section or formulas[0].offset > step.offset:
        return None
    formula = formulas[0]
    for values, used in known.readings(names_in(formula.expression), step.offset, step.section):
        meanings = [formula, *used]
        one_case = all(d.section == step.section and known.is_settled(d, step.section) for d in used)
        if len(values) != len(names_in(formula.expression)) or not one_case:
            return None
        unfolded = _deep(formula.expression, values, known, step)
        if names_in(unfolded):
            return None
        outcome = compare(unfolded, step.relation, right, assuming)
        if outcome.verdict not in ("wrong", "unit"):
            return None
        said = "; ".join(f"{d.name} = {plain(d.expression)} ({d.source})" for d in meanings[:6])
        read_as = f"{_shown((unfolded, right), step.relation)}; {said}"
        return Judgement(outcome, "follows", read_as, (unfolded, right), defines=True)
    return None


def _by_formulas(expression: Expr, known: Definitions, step: Step) -> Expr:
    """Letters replaced by the formulas (not the values) that define them."""
    for _ in range(3):
        more = {}
        for name in names_in(expression):
            formulas = [d for d in known.candidates(name, step.offset, step.section) if not d.is_value]
            if formulas:
                more[name] = formulas[0].expression
        larger = put_in(expression, more) if more else expression
        if larger == expression or size(larger) > LARGEST:
            break
        expression = larger
    return expression


def _missing_letter(before: Expr, after: Expr, assuming: Assumptions) -> str | None:
    """The one letter by which a product was multiplied before and is no longer."""
    gone = [name for name in names_in(before) if name not in names_in(after)]
    if len(gone) != 1 or set(names_in(after)) - set(names_in(before)):
        return None
    with_it = Product(after, (("*", Name(gone[0])),))
    return gone[0] if compare(before, "=", with_it, assuming).verdict == "ok" else None


_CONDITION = re.compile(
    r"(?:\b(?:if|when|whenever|for|at|with|where|assum\w+|suppos\w+|let|let's|say|consider|until|unless|once|where"
    r"|requires?|need|needs|want|set|setting|solve|solving)\b|假设|若|当|如果|取|设|令|要求|需要|满足)[^.。;；,，]{0,24}$",
    re.IGNORECASE,
)


def _power_of_1000(factor: Fraction) -> bool:
    """Whether two values differ as milliseconds and seconds do, or bytes and GB."""
    size = max(abs(factor), 1 / abs(factor)) if factor else Fraction(0)
    return any(abs(size / 1000**n - 1) < Fraction(1, 20) for n in (1, 2, 3, 4))


def _may_accuse(step: Step, known: Definitions, used: Sequence[Definition]) -> bool:
    """Whether a mismatch with values from elsewhere is a mistake: not in a condition, nor where the
    letters have several values or the right side is a formula of its own."""
    left, right = step.left.expression, step.right.expression
    if step.relation not in ("=", "≈") or right is None or left is None or names_in(right):
        return False
    if isinstance(left, Name) or not used or any(map(applies_function, step.texts)):
        return False
    near = all(d.offset < step.offset or d.section == step.section for d in used)
    return near and not in_condition(step) and all(known.is_settled(d, step.section) for d in used)


def in_condition(step: Step) -> bool:
    """Whether the words before a step make it a condition or an assumption."""
    before = step.chain.block.text[max(0, step.left.start - 60) : step.left.start]
    return bool(_CONDITION.search(before))


def defines(step: Step) -> tuple[str, Expr] | None:
    """The name a step gives a meaning to, and the meaning."""
    left, right = step.left.expression, step.right.expression
    if step.relation not in ("=", "≈") or left is None or right is None:
        return None
    if isinstance(left, Name) and step.index == 0:
        return left.id, right
    last = step.index == len(step.chain.relations) - 1
    if isinstance(right, Name) and last and isinstance(left, Num) and step.index == 0:
        return right.id, left
    return None
