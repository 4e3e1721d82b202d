"""Several layouts at once are exactly what each is by itself."""

from fractions import Fraction

import jobs
import pytest

from workings.formula import DoesNotEvaluateError
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.exact_layouts import ExactLayouts
from workings.planning.job import Job
from workings.planning.statement import Plan, say
from workings.units import ONE

MOVES: tuple[dict[str, int], ...] = (
    {}, {"t": 4, "t_e": 4}, {"p": 2, "v": 3}, {"z_f": 1}, {"b_m": 2, "z_2": 1}, {"c": 2, "z_s": 0}, {},
)  # fmt: skip


@pytest.mark.parametrize("job", [jobs.gpt3_175b(), jobs.llama3_405b(), jobs.experts_64()])
def test_every_letter_is_what_the_exact_reading_says(job: Job) -> None:
    letters = [statement.letter for statement in plan().statements]
    several = ExactLayouts(plan(), job.values(), letters)
    for move in MOVES:
        layout = {name: Fraction(value) for name, value in move.items()}
        alone = exactly(plan(), {**job.values(), **layout})
        assert several.at(move) == {letter: alone[letter] for letter in letters}


def toy(formula: str) -> ExactLayouts:
    return ExactLayouts(Plan({}, (say("y", "a test", ONE, formula),)), {"a": Fraction(7, 2)}, ["y"])


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("ceil(a/t)", 2), ("floor(a/t)", 1), ("ceil(t/3)", 1), ("-a + t^2", Fraction(1, 2)),
        ("6/t/3", 1), ("a/t/7*t", Fraction(1, 2)), ("sqrt(2*t)", 2), ("sum(i*t, (i, 1, 4))", 20),
        ("max(a, t, 3) - min(a, t)", Fraction(3, 2)),
    ],
)  # fmt: skip
def test_the_grammar(formula: str, expected: Fraction) -> None:
    assert toy(formula).at({"t": 2})["y"] == expected


def test_what_has_no_value_is_said() -> None:
    with pytest.raises(DoesNotEvaluateError, match="no value for the letter q"):
        toy("t + q").at({"t": 2})
    with pytest.raises(DoesNotEvaluateError, match="y: division by zero"):
        toy("1/(t - 2)").at({"t": 2})
