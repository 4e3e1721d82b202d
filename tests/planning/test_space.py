"""The space of layouts is what plain loops over whole numbers find."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import jobs
import pytest

from workings.errors import UserError
from workings.planning.arrays_points import Points
from workings.planning.frameworks import FRAMEWORKS
from workings.planning.job import Job
from workings.planning.space import CONSTRAINTS, SWITCHES, divisors, space


def counted(job: Job, largest_tp: int) -> Iterator[tuple[int, ...]]:
    """Every (t, c, p, e, t_e, v, b_m) by trying all whole numbers, without the space's own rules."""
    at: dict[str, Any] = {name: int(v) for name, v in job.values().items() if v.denominator == 1}
    n, b, blocks = at["n"], at["b"], at["L"]
    experts = range(1, max(2, at["E"] + 1))
    for t in range(1, largest_tp + 1):
        if at["H"] % t or at["F"] % t or (at["K"] % t and t % at["K"]):
            continue
        for c in range(1, n + 1):
            for p in range(1, n + 1):
                d, rest = divmod(n, t * c * p)
                if rest or b % d or (c > 1 and at["s"] % (2 * c)):
                    continue
                for e in experts:
                    for t_e in {1, t} if at["E"] else {1}:
                        if (at["E"] and (at["E"] % e or at["F_E"] % t_e)) or n % (t_e * e * p):
                            continue
                        for v, b_m in schedules(p, blocks, b // d):
                            yield t, c, p, e, t_e, v, b_m


def schedules(p: int, blocks: int, sequences: int) -> Iterator[tuple[int, int]]:
    """Chunks a rank and sequences a micro-batch."""
    for v in range(1, blocks + 3 if p > 1 else 2):
        if not stages_fill(p * v, blocks):
            continue
        for b_m in range(1, sequences + 1):
            if sequences % b_m == 0 and (v == 1 or sequences // b_m % p == 0):
                yield v, b_m


def stages_fill(chunks: int, blocks: int) -> bool:
    """Whether blocks can be dealt out so that all chunks but the first and last are alike and largest."""
    most = next(k for k in range(blocks + 1) if k * chunks >= blocks)
    short = most * chunks - blocks  # blocks that the two ends do without, shared as evenly as can be
    return short - short // 2 <= most


def listed(points: Points) -> set[tuple[int, ...]]:
    columns = [points.column(name).tolist() for name in ("t", "c", "p", "e", "t_e", "v", "b_m")]
    return set(zip(*columns, strict=True))


@pytest.mark.parametrize("job", [
    jobs.llama3_8b(), jobs.llama3_8b(n=24, b=48), jobs.llama3_8b(L=7, b=8),
    jobs.experts_64(n=16, b=16, L=6), jobs.gpt3_175b(n=48, b=24),
], ids=range(5))  # fmt: skip
def test_the_meshes_are_those_that_plain_loops_find(job: Job) -> None:
    expected = list(counted(job, 8))
    points = Points(space(job))
    assert listed(points) == set(expected)
    assert points.count == len(expected) > 0


def test_one_layout_is_judged_as_the_list_is() -> None:
    job = jobs.llama3_8b()
    where = space(job)
    valid = listed(Points(where))
    off = {"z_1": 0, "z_2": 0, "z_3": 0, "z_s": 0, "z_c": 0, "z_f": 0}
    for t in (1, 2, 4, 8):
        for p in (1, 2, 4, 8):
            for v in (1, 2, 3, 4):
                layout = {"t": t, "c": 1, "p": p, "e": 1, "t_e": 1, "v": v, "b_m": 2, **off}
                assert where.allows(layout) == ((t, 1, p, 1, 1, v, 2) in valid), layout


def test_the_published_layouts_are_in_their_spaces() -> None:
    for job in (jobs.gpt3_175b(), jobs.llama3_405b(), jobs.llama3_8b(), jobs.experts_64()):
        assert space(job).broken(job.values()) == (), job.name


def test_126_blocks_are_dealt_to_16_stages_but_not_in_any_way() -> None:
    job = jobs.llama3_405b()
    found = {v for t, c, p, e, t_e, v, b_m in listed(Points(space(job))) if p == 16}
    assert found == {1, 2, 4, 8}  # 8: 128 chunks, two of them without a block; 3 would leave 18 too many
    broken = space(job).broken({**job.values(), "v": Fraction(3)})
    assert broken == ("only the first and the last chunk may hold fewer blocks",)


def test_switches_that_change_nothing_are_not_layouts() -> None:
    where = space(jobs.llama3_8b())
    alone = {"t": 1, "c": 1, "p": 8, "e": 1, "t_e": 1, "v": 1, "b_m": 1, "z_1": 0, "z_2": 0, "z_3": 0,
             "z_s": 0, "z_c": 0, "z_f": 0}  # fmt: skip
    assert where.allows(alone)
    assert where.broken({**alone, "z_1": 1}) == ("ZeRO needs ranks to share with",)
    assert "sequence parallelism needs" in where.broken({**alone, "z_s": 1})[0]


def test_axes_can_be_restricted() -> None:
    job = jobs.llama3_405b()
    where = space(job, {"t": [8], "p": [16, 8], "recompute": ["none", "full"], "zero": [1]})
    points = Points(where)
    assert {row[0] for row in listed(points)} == {8}
    assert {row[2] for row in listed(points)} == {8, 16}
    assert points.shape == (2, 2)  # recompute, sequence parallelism
    assert {points.layout(0, (i, 0))["z_f"] for i in (0, 1)} == {0, 1}
    assert points.layout(0, (1, 1)) == {**points.layout(0, (1, 0)), "z_s": 1}


def test_tensor_parallelism_stays_in_a_node_unless_asked() -> None:
    job = jobs.llama3_405b()
    assert max(row[0] for row in listed(Points(space(job)))) == 8
    assert max(row[0] for row in listed(Points(space(job, largest_tp=64)))) == 64


@pytest.mark.parametrize(
    ("only", "said"),
    [
        ({"t": [7]}, ", tp: found '7', expected one of 1, 2, 4, 8"),
        ({"pp": [7]}, ", pp: found '7', expected one of 1, 2, 4, 8"),
        ({"t": []}, ", tp: found no value"),
        ({"zero": [4]}, "zero: found '4', expected one of 0, 1, 2, 3"),
        ({"recompute": ["some"]}, "expected one of none, core, full"),
        ({"dp": [8]}, "found an axis 'dp', expected one of tp, cp, pp, ep, etp, virtual_stages"),
        ({"t": ["\x1b[31m" * 40]}, "found '"),
    ],
)
def test_a_restriction_that_is_none_is_refused(only: dict[str, list[Any]], said: str) -> None:
    with pytest.raises(UserError, match=r"^Llama 3 8B") as caught:
        space(jobs.llama3_8b(), only)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 200
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    "changed", [{"n": 10**20}, {"n": 10**8}, {"n": 0}, {"b": 0}, {"b": Fraction(1, 2)}]
)
def test_absurd_sizes_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"expected|needs"):
        space(jobs.llama3_8b(**changed))


def test_a_space_too_large_to_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workings.planning.arrays_points.MOST_ROWS", 100)
    with pytest.raises(UserError, match="more than 100 meshes"):
        Points(space(jobs.llama3_8b()))


def test_divisors_are_those_that_divide() -> None:
    for n in (1, 2, 12, 36, 97, 16384):
        assert divisors(n) == [i for i in range(1, n + 1) if n % i == 0]


def test_the_guide_has_every_constraint_and_all_that_programs_refuse() -> None:
    guide = " ".join((Path(__file__).parents[2] / "docs" / "reviews.md").read_text("utf-8").split())
    refused = [
        constraint for program in FRAMEWORKS.values() for constraint in (*program.refuses, *program.warns)
    ]
    for constraint in (*CONSTRAINTS, *SWITCHES, *refused):
        assert constraint.words in guide
