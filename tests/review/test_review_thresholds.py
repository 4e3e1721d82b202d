"""A threshold is where the verdict changes when that very value is put into the job with --set."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from jobs import llama3_8b

from workings.planning.cost import plan
from workings.planning.inputs import read_job
from workings.planning.inputs.names import key_of
from workings.planning.job import Results
from workings.planning.moves import Moves, moves_of
from workings.review import thresholds
from workings.review.answer import WORDS
from workings.review.desk import Desk
from workings.review.measure import checks
from workings.review.register import Entry, entries
from workings.review.thresholds import Holds
from workings.review.verdict import verdict

JOB = """
[model]
preset = "{model}"
[cluster]
hardware = "{device}"
devices = 64
[launch]
{layout}
sequence_length = 4096
training_tokens = "300B"
[review]
{limits}
"""
# On H100 published runs tell the odds, on B200 of memory and on TPUs of both they are assumed.
JOBS = {
    "days": ("llama3-8b", "h100-sxm", 'dp = 64\nzero = 3\nbatch = 1024', "max_days = 9"),
    "days and cost, odds assumed": (
        "llama3-8b", "tpu-v5p", 'dp = 64\nzero = 3\nbatch = 1024', "max_days = 14\nmax_cost = 55000",
    ),
    "memory": ("llama3-70b", "h100-sxm", 'dp = 4\ntp = 8\npp = 2\nzero = 1\nbatch = 256', ""),
    "memory and MFU, odds assumed": (
        "llama3-70b", "b200-sxm", 'dp = 16\ntp = 4\nzero = 1\nbatch = 256', "min_mfu = 0.3",
    ),
    "experts": ("mixtral-8x7b", "h100-sxm", 'dp = 64\nep = 8\nzero = 3\nbatch = 256', "max_days = 20"),
}  # fmt: skip
ELSE = ("C",)  # another peak is another device, of which other efficiencies are assumed
FINE = Fraction(10001, 10000)


@cache
def desk(name: str, folder: Path, setting: tuple[str, str] | None = None) -> Desk:
    model, device, layout, limits = JOBS[name]
    path = folder / "job.toml"
    path.write_text(JOB.format(model=model, device=device, layout=layout, limits=limits), "utf-8")
    return Desk(read_job(path, dict([setting] if setting else [])), plan())


def rank(name: str, folder: Path, letter: str, value: Fraction) -> int:
    """The place of the verdict among the words, with an input set by hand."""
    dimension = plan().letters[letter].dimension
    said = str(int(value)) if value.denominator == 1 else f"{float(value):.12g}"
    unit = str(dimension).replace("currency", "USD")
    setting = (key_of(letter) or letter, f"{said} {unit}".removesuffix(" 1"))
    return WORDS.index(verdict(desk(name, folder, setting)).word)


def beyond(held: Holds, moves: Moves, letter: str) -> Fraction:
    """The next value on the other side."""
    if plan().letters[letter].domain.integer:
        return held.value + (moves.grain if held.at_most else -moves.grain)
    return held.value * FINE if held.at_most else held.value / FINE


def with_thresholds(one: Desk) -> Iterator[tuple[Entry, Moves, Holds]]:
    """Of what --set moves alone, to any value; a format has but three."""
    for entry in entries(one):
        moves = moves_of(entry.figure.letter, one.base)
        for held in entry.holds:
            apart = entry.kind == "of the model" or entry.figure.letter in ELSE
            if moves is not None and not moves.only and not apart:
                yield entry, moves, held


@pytest.mark.parametrize("name", JOBS)
def test_the_verdict_is_as_said_at_a_threshold_of_the_register_and_no_more_beyond_it(
    name: str, tmp_path: Path
) -> None:
    found = list(with_thresholds(desk(name, tmp_path)))
    assert len({entry.figure.letter for entry, _, _ in found}) >= 2
    for entry, moves, held in found:
        letter, most = entry.figure.letter, WORDS.index(held.word)
        assert rank(name, tmp_path, letter, held.value) <= most, (letter, held)
        assert rank(name, tmp_path, letter, beyond(held, moves, letter)) > most, (letter, held)


@pytest.mark.parametrize("name", JOBS)
def test_a_check_has_the_threshold_of_its_assumption_in_what_it_prints(name: str, tmp_path: Path) -> None:
    one = desk(name, tmp_path)
    of_register = {entry.figure.letter: entry.holds for entry in entries(one)}
    for check in checks(one):
        if of_register.get(check.letter):  # a line has none for what lies ten times as far away
            for held in check.holds:
                value = held.value
                for letter in check.check.letters:
                    value /= 1 if letter == check.letter else one.base[letter]
                assert Holds(held.word, value, held.at_most) in of_register[check.letter]


def test_without_a_limit_on_the_run_no_efficiency_has_a_threshold(tmp_path: Path) -> None:
    found = {entry.figure.letter: entry.holds for entry in entries(desk("memory", tmp_path))}
    assert found["eta"] == ()
    assert found["s"]


@pytest.mark.parametrize("name", ["days", "days and cost, odds assumed", "memory and MFU, odds assumed"])
def test_the_step_of_a_condition_is_that_of_the_check_and_makes_the_run_go(
    name: str, tmp_path: Path
) -> None:
    one = desk(name, tmp_path)
    asked = [c for c in verdict(one).conditions if c.startswith("a measured step takes at most ")]
    seconds = Fraction(asked[0].split("at most ")[1].split(" s")[0])
    (check,) = (check for check in checks(one) if check.letter == "T_step")
    (held,) = (held for held in check.holds if held.word == "GO" or len(check.holds) == 1)
    assert seconds <= held.value < seconds * Fraction(1002, 1000)
    for measured, kept in ((seconds, True), (seconds * Fraction(1002, 1000), False)):
        showed = Results({"T_step": measured, "M": Fraction(1)})
        found = verdict(Desk(replace(one.job, measured=showed), plan()))
        assert (found.word == "GO") is kept


@pytest.mark.parametrize(("conditions", "apart"), [
    ((), "if all else stays."), (("it is shown",), ", the conditions that its author asks for apart."),
])  # fmt: skip
def test_only_columns_that_a_table_has_are_explained(conditions: tuple[str, ...], apart: str) -> None:
    job = llama3_8b()
    one = Desk(replace(job, cover=job.cover._replace(conditions=conditions)), plan())
    assert thresholds.how_to_read(one, ["GO IF"]).startswith(" GO IF: the largest")
    assert thresholds.how_to_read(one, ["GO", "GO IF"]).endswith(apart)
    assert not thresholds.how_to_read(one, [])
