"""Odds are said as finely as so many sources tell them apart, and never as more than an answer asks."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import llama3_8b

from workings.planning.accuracy import LETTERS, Run
from workings.planning.cost import plan
from workings.planning.job import Job, Results
from workings.review.desk import Desk
from workings.review.likelihood import Likelihood

LIMIT = Fraction(10**9)


def said(monkeypatch: pytest.MonkeyPatch, sources: int, hundredths: int) -> str:
    """What is said of a limit that so many runs of a hundred keep, by so many sources."""
    job: Job = llama3_8b()
    values = dict.fromkeys(LETTERS, Fraction(0))
    runs = tuple(Run("NVIDIA Hopper", "16-bit", Fraction(10 + place, 10), values, f"source {place}")
                 for place in range(sources))  # fmt: skip
    monkeypatch.setattr("workings.review.desk.of_steps", lambda job, v: runs)
    monkeypatch.setattr(Likelihood, "chance", lambda self, result, limit: Fraction(hundredths, 100))
    return Desk(job, plan()).outcome.in_words("T_step", LIMIT)


@pytest.mark.parametrize(("hundredths", "few", "many", "most"), [
    (72, "about 70", "about 70", "72"), (73, "about 70", "about 75", "73"),
    (76, "about 80", "about 75", "76"), (48, "40 to 50", "45 to 50", "48"),
    (50, "about 50", "about 50", "50"), (88, "80 to 90", "85 to 90", "88"),
    (9, "fewer than 10", "5 to 10", "9"), (3, "fewer than 10", "fewer than 5", "3"),
    (92, "more than 90", "about 90", "92"), (97, "more than 90", "more than 95", "97"),
])  # fmt: skip
def test_nine_sources_tell_tens_nineteen_fives_and_ninety_nine_each_hundredth(
    monkeypatch: pytest.MonkeyPatch, hundredths: int, few: str, many: str, most: str
) -> None:
    for sources, words in ((9, few), (18, few), (19, many), (98, many), (99, most)):
        assert said(monkeypatch, sources, hundredths) == words


def test_what_is_known_of_this_very_run_is_told_to_the_hundredth_and_assumptions_as_by_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert said(monkeypatch, 0, 73) == "about 70"
    monkeypatch.setattr(Likelihood, "chance", lambda self, result, limit: Fraction(73, 100))
    known = replace(llama3_8b(), measured=Results({"T_step": Fraction(30)}))
    assert Desk(known, plan()).outcome.in_words("T_run", LIMIT) == "73"
