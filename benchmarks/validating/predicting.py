"""What the cost model says of published rows, at one efficiency, fitted on one table."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from validating.letters import letters_of, worth
from validating.published import Open, Raw, Row, Table
from workings.formula import names_in, parse_expression
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.utilization import HALF, recounted

FITTED_ON = "megatron-2021-1"
EFFICIENCY = "eta"
STEP = "T_step"
FAR = Fraction(15, 100)  # rows beyond this need a reason


@dataclass(frozen=True)
class Prediction:
    """A row, what we say of it and what was published, in one unit, and every letter's value.

    `ends` has, for each thing that the source leaves open, our figure had we taken it otherwise.
    """

    table: Table
    row: Row
    ours: Fraction
    theirs: Fraction
    values: dict[str, Fraction]
    ends: tuple[tuple[Open, Fraction], ...] = ()

    @property
    def error(self) -> Fraction:
        """Ours over theirs, less one."""
        return self.ours / self.theirs - 1


def predict(table: Table, row: Row, given: Raw) -> Prediction:
    """A row at an efficiency. Raises TableError where letters are missing."""
    ours, theirs, values = _both(table, row, given)
    ends = tuple((one, _error(table, row, {**given, **one.given})) for one in table.open_for(row))
    return Prediction(table, row, ours, theirs, values, ends)


def _error(table: Table, row: Row, given: Raw) -> Fraction:
    ours, theirs, _ = _both(table, row, given)
    return ours / theirs - 1


def _both(table: Table, row: Row, given: Raw) -> tuple[Fraction, Fraction, dict[str, Fraction]]:
    """Our figure, theirs, and the values of all letters."""
    formulas = (table.ours, table.theirs, *(("u", "u_M") if table.ours == STEP else ()))
    wanted = {letter for formula in formulas for letter in names_in(parse_expression(formula))}
    values = exactly(plan(), letters_of(table, row, given), wanted)
    theirs = worth(table.theirs, {**values, "published": row.published})
    if "u" in values:  # what is printed is causal, whatever the source counts
        values["u"] = recounted(plan(), letters_of(table, row, given), "u", HALF)
    return worth(table.ours, values), theirs, values


def fitted(table: Table) -> Fraction:
    """The efficiency, to three digits, at which half of a table's rows are too slow and half too fast.

    That is where the product of the two middle ratios of ours to theirs is 1: the median of their
    logarithms is 0. Step times fall as the efficiency rises, so halving finds it.
    """
    low, high = Fraction(1, 10), Fraction(2)
    while high - low > Fraction(1, 10_000):
        middle = (low + high) / 2
        if _middle(_both(table, row, {EFFICIENCY: _text(middle)})[:2] for row in table.rows) > 1:
            low = middle
        else:
            high = middle
    return round(middle, 3)


def _middle(pairs: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """The product of the two middle ratios, or the middle one's square."""
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    return ratios[(len(ratios) - 1) // 2] * ratios[len(ratios) // 2]


def _text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def predictions(
    tables: Sequence[Table], efficiency: Fraction, other: Raw | None = None
) -> tuple[Prediction, ...]:
    """Every row of some tables; `other` replaces letters of all."""
    given: Raw = {EFFICIENCY: _text(efficiency), **(other or {})}
    return tuple(predict(table, row, given) for table in tables for row in table.rows)


def by_the_plan_alone(table: Table) -> Table:
    """The table without what is known of its source's software: no statement of the plan is replaced."""
    own = {statement.letter for statement in plan().statements}

    def kept(given: Raw) -> Raw:
        return {letter: value for letter, value in given.items() if letter not in own}

    rows = tuple(replace(row, given=kept(row.given)) for row in table.rows)
    return replace(table, given=kept(table.given), rows=rows, ours=table.plain or table.ours)


def worst_end(one: Prediction) -> Fraction:
    """The size of the error had everything that is open been taken as it fits least, one at a time."""
    return max(abs(one.error), *(abs(error) for _, error in one.ends), Fraction(0))


def median_error(found: Iterable[Prediction]) -> Fraction:
    """The median of the errors' sizes. Raises StatisticsError of none."""
    return statistics.median(abs(one.error) for one in found)
