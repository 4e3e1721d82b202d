"""What products usually reach is what the published runs give, and no more than a peak."""

from fractions import Fraction

import pytest
from efficiencies import Run, fitted, groups

from workings.planning.usual import ELSEWHERE, ENOUGH, USUAL, Usual, usual


@pytest.mark.slow
@pytest.mark.parametrize("group", [("NVIDIA Hopper", "8-bit"), ("TPU v6e", "16-bit")])
def test_the_numbers_are_those_that_the_published_runs_give(group: tuple[str, str]) -> None:
    assert fitted(groups()[group]) == USUAL[group]


def off_by(own: float) -> "Run":
    """A run whose published time is what an efficiency of so much gives."""

    def off(eta: float) -> float:
        return eta / own - 1

    return Run("", off)


def runs(*sources: tuple[str, float]) -> list[Run]:
    return [Run(name, off_by(own).off) for name, own in sources]


def test_a_source_counts_once_however_many_runs_it_has() -> None:
    few = runs(("a", 0.4), ("b", 0.5), ("c", 0.6), ("d", 0.7), ("e", 0.8))
    many = few + runs(*[("a", 0.4)] * 50)
    assert fitted(few)[:3] == fitted(many)[:3]
    assert float(fitted(few).value) == pytest.approx(0.6, abs=0.01)


def test_of_few_sources_the_range_is_wide() -> None:
    few = fitted(runs(("a", 0.5), ("b", 0.5)))
    more = fitted(runs(*((name, 0.5) for name in "abcd")))
    assert few.sources < ENOUGH <= more.sources
    assert more.best == more.worst == more.value
    assert float(few.best) / float(few.worst) > 2


@pytest.mark.parametrize("one", [*USUAL.values(), ELSEWHERE])
def test_nothing_reaches_its_peak_and_the_middle_lies_between_the_ends(one: Usual) -> None:
    value, best, worst = one.numbers
    assert 0 < worst < value <= best < 1


def test_hardware_without_runs_says_so_and_has_a_wide_range() -> None:
    found, source = usual("AMD CDNA 3", "8-bit")
    assert found is ELSEWHERE
    assert source.startswith("assumed: no published run in 8-bit on AMD CDNA 3 is known here")
    assert usual("", "16-bit")[1].endswith("the range is wide")
    assert found.numbers[1] / found.numbers[2] > Fraction(5, 2)


def test_few_sources_are_said_to_be_few(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {("A", "16-bit"): Usual("0.5", "0.7", "0.3", 20, ENOUGH - 1),
           ("B", "16-bit"): Usual("0.5", "0.7", "0.3", 20, ENOUGH)}  # fmt: skip
    monkeypatch.setattr("workings.planning.usual.USUAL", few)
    assert "20 published runs of 3 sources in 16-bit on A: too few to say" in usual("A", "16-bit")[1]
    assert "too few" not in usual("B", "16-bit")[1]


def test_what_computes_in_32_bits_reaches_what_16_bits_do() -> None:
    assert usual("NVIDIA Hopper", "32-bit")[0] is USUAL["NVIDIA Hopper", "16-bit"]
