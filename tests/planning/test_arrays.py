"""The NumPy reading agrees with the exact one, also where a ceiling stands on a whole number."""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor

import jobs
import numpy as np
import pytest

from workings.formula import DoesNotEvaluateError
from workings.planning import arrays
from workings.planning.arrays import Reading, over
from workings.planning.arrays_points import Points
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.lowering import NotAnArrayError
from workings.planning.space import Axis, Space, space
from workings.planning.statement import Plan, say
from workings.units import ONE

LATENT = jobs.deepseek_v3(n=256, p=4, b=256)
JOBS = (jobs.gpt3_175b(), jobs.llama3_405b(), jobs.llama3_8b(), jobs.experts_64(), LATENT)
# In seconds, and differences of larger times: rounding counts against the step.
DIFFERENCES = ("T_sync", "T_send", "T_idle")
LETTERS = (
    "M", "M_comm", "T_step", "c_run", "u", "V_d", "T_blk", "L_first", "m", "x_p", "W_d", *DIFFERENCES,
)  # fmt: skip


def product_space(**values: Sequence[int]) -> Space:
    """All combinations of some letters' values."""
    axes = tuple(Axis(name, (name,), tuple((v,) for v in several)) for name, several in values.items())
    return Space(axes, (), (), (), {})


def values_of(
    formula: str, given: dict[str, Fraction], **letters: Sequence[int]
) -> dict[tuple[int, ...], float]:
    """What a formula comes to at every combination, by the letters' values."""
    points = Points(product_space(**letters))
    toy = Plan({}, (say("y", "a test", ONE, formula),))
    found = np.broadcast_to(over(toy, given, points, ["y"])["y"], (points.count,))
    columns = [points.column(name).tolist() for name in letters]
    return dict(zip(zip(*columns, strict=True), found.tolist(), strict=True))


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_arrays_agree_with_the_exact_reading(job: Job) -> None:
    points, chance = Points(space(job)), random.Random(4)  # noqa: S311 - which points does not matter
    found = over(plan(), job.values(), points, LETTERS)
    for _ in range(25):
        row, places = chance.randrange(points.count), [chance.randrange(n) for n in points.shape]
        layout = {name: Fraction(value) for name, value in points.layout(row, places).items()}
        exact = exactly(plan(), {**job.values(), **layout}, LETTERS)
        for letter in LETTERS:
            scale = float(exact["T_step" if letter in DIFFERENCES else letter])
            ours = found[letter][(*places, row)]
            assert ours == pytest.approx(float(exact[letter]), rel=1e-12, abs=1e-12 * abs(scale)), layout


def test_blocks_may_be_cut_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    job = jobs.llama3_8b()
    points = Points(space(job))
    whole = over(plan(), job.values(), points, ["M", "T_step"])
    monkeypatch.setattr(arrays, "BLOCK", 100)
    cut = over(plan(), job.values(), points, ["M", "T_step"])
    assert all(np.array_equal(whole[letter], cut[letter]) for letter in whole)


def test_evaluating_again_gives_the_same() -> None:
    job = jobs.gpt3_175b()
    reading = Reading(plan(), job.values(), Points(space(job)), ("M", "T_step"))
    first = [value.copy() for value in reading.block(slice(5, 50), ("M", "T_step"))]
    again = reading.block(np.arange(5, 50), ("M", "T_step"))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))


def test_blocks_may_be_of_any_length() -> None:
    job, letters = jobs.gpt3_175b(), ("M", "T_step")
    points = Points(space(job))
    whole = over(plan(), job.values(), points, letters)
    reading = Reading(plan(), job.values(), points, letters)
    for rows in (slice(0, 9), slice(40, 3_000), slice(7, 8), np.array([5, 3, 900]), slice(0, 9)):
        for letter, value in zip(letters, reading.block(rows, letters), strict=True):
            assert np.array_equal(value, whole[letter][..., rows])


def test_memory_alone_is_the_same_as_memory_with_time() -> None:
    job = jobs.gpt3_175b()
    reading = Reading(plan(), job.values(), Points(space(job)), ("M", "T_step"))
    both = reading.block(slice(0, 99), ("T_step", "M"))[1]
    assert np.array_equal(reading.block(slice(0, 99), ("M",))[0], both)


def test_a_fixed_axis_is_a_constant() -> None:
    job = jobs.llama3_8b()
    points = Points(space(job, {"t": [2], "c": [1], "p": [2], "v": [2], "b_m": [2], "zero": [1],
                                "recompute": ["none"], "sequence_parallel": ["yes"]}))  # fmt: skip
    exact = exactly(plan(), {**job.values(), **{n: Fraction(v) for n, v in points.layout(0, ()).items()}})
    assert (points.count, points.shape) == (1, ())
    assert float(over(plan(), job.values(), points, ["M"])["M"][0]) == pytest.approx(float(exact["M"]))


# Ceilings and floors: counted in whole numbers here


def test_blocks_of_a_chunk_are_never_one_too_many() -> None:
    found = values_of("ceil(L/(p*v))", {}, L=range(1, 140), p=range(1, 20), v=range(1, 9))
    assert found == {(blocks, p, v): -(-blocks // (p * v)) for blocks, p, v in found}


def test_a_given_number_of_blocks_is_split_exactly() -> None:
    found = values_of("floor(L/3/p)", {"L": Fraction(126)}, p=range(1, 200))
    assert found == {(p,): 126 // (3 * p) for (p,) in found}


def test_micro_batches_are_exact_though_they_are_quotients_of_quotients() -> None:
    job = {"b": Fraction(3 * 5 * 7 * 11), "n": Fraction(3 * 7 * 13)}
    toy = Plan({}, (
        say("d", "replicas", ONE, "n/(t*p)"),
        say("m", "micro-batches", ONE, "b/(d*k)"),
        say("y", "rounds", ONE, "floor((m - 1)*(p - 1)/p)"),
    ))  # fmt: skip
    points = Points(product_space(t=(1, 3), p=(1, 3, 7, 13), k=(1, 3, 5, 7)))
    found = over(toy, job, points, ["y"])["y"]
    for row, ours in enumerate(found):
        t, p, k = (int(points.column(name)[row]) for name in ("t", "p", "k"))
        m = job["b"] / (job["n"] / (t * p) * k)
        assert ours == floor((m - 1) * (p - 1) / p), (t, p, k)


def test_a_sum_of_tenths_is_whole_where_it_is() -> None:
    found = values_of("ceil(p/10 + q/10) + floor(p/10 + q/5)", {}, p=range(40), q=range(40))
    for (p, q), ours in found.items():
        assert ours == ceil(Fraction(p + q, 10)) + floor(Fraction(p + 2 * q, 10))


# The grammar


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("p^2 - 3*p^3/p", lambda p, q: -2 * p**2),
        ("max(p, q, 3) - min(p, q, 3)", lambda p, q: max(p, q, 3) - min(p, q, 3)),
        ("log2(p*q)", lambda p, q: np.log2(p * q)),
        ("sqrt(p)*sqrt(p)", lambda p, q: p),
        ("-(p - q)/q", lambda p, q: (q - p) / q),
        ("p - p", lambda p, q: 0),
        ("7 + 0*p", lambda p, q: 7),
        ("max(p*q, p*q - 1, 0)", lambda p, q: p * q),
        ("1/(p*q)", lambda p, q: 1 / (p * q)),
        ("(p + q)*(p - q)/(p + q)", lambda p, q: p - q),
        ("q^(-2)*p", lambda p, q: p / q**2),
    ],
)
def test_every_function_of_the_grammar(formula: str, expected: Callable[..., float]) -> None:
    found = values_of(formula, {}, p=range(1, 9), q=range(1, 7))
    assert len(found) == 8 * 6
    for (p, q), ours in found.items():
        assert ours == pytest.approx(expected(p, q), abs=1e-12)


def test_what_has_no_reading_is_refused() -> None:
    with pytest.raises(NotAnArrayError, match="sum over an index"):
        values_of("sum(i, (i, 1, p))", {}, p=(1, 2))
    with pytest.raises(NotAnArrayError, match="fourth"):
        values_of("2^p", {}, p=(1, 2))
    with pytest.raises(DoesNotEvaluateError, match="no value for the letter r"):
        values_of("p*r", {}, p=(1, 2))
    with pytest.raises(DoesNotEvaluateError, match="division by zero"):
        values_of("p/(r - 1)", {"r": Fraction(1)}, p=(1, 2))


# What makes it fast


def test_few_letters_are_evaluated_at_few_points() -> None:
    job = jobs.gpt3_175b()
    points = Points(space(job))
    reading = Reading(plan(), job.values(), points, ("L_full", "M"))
    slot = reading.slots["L_full"]
    stages = {(p, v) for p, v in zip(points.column("p"), points.column("v"), strict=True)}
    assert reading.values[slot].size == len(stages) < points.count / 50


def test_most_operations_of_a_step_are_not_done_at_every_layout() -> None:
    job = jobs.gpt3_175b()
    points = Points(space(job))
    tape = Reading(plan(), job.values(), points, ("M", "T_step")).tape
    everywhere = [step for step in tape.steps if points.size(tape.masks[step.slot]) == 24 * points.count]
    assert len(everywhere) < 30
    assert len(tape.steps) > 300


def test_points_are_the_combinations_that_occur() -> None:
    points = Points(space(jobs.llama3_8b()))
    mask = points.tied["t"] | points.tied["p"]
    part = points.part(mask)
    t, p = points.column("t"), points.column("p")
    assert len(part.first) == len(set(zip(t, p, strict=True)))
    for row, (a, b) in enumerate(product([0], range(points.count))):
        assert (t[row], p[row]) == (t[part.first[part.of[row]]], p[part.first[part.of[row]]]), (a, b)
