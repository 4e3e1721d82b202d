"""The search finds what evaluating every layout exactly finds."""

import gc
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import jobs
import pytest

import workings
from workings.errors import UserError
from workings.planning import arrays
from workings.planning.arrays import Reading
from workings.planning.arrays_points import Points
from workings.planning.arrays_search import Sweep
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.letters import LETTERS
from workings.planning.search import Objective, Result, Wishes, search
from workings.planning.space import space
from workings.planning.statement import Plan, say
from workings.units import BYTE, SECOND

FEW: dict[str, list[int | str]] = {"c": [1, 2], "v": [1, 2], "b_m": [1, 2], "recompute": ["none", "full"]}
ORDER = ("t", "c", "p", "e", "t_e", "v", "b_m")
Layouts = list[tuple[dict[str, int], dict[str, Fraction]]]


def every_layout(job: Job, only: dict[str, list[int | str]]) -> Layouts:
    """All layouts that the constraints allow, each evaluated by itself."""
    where, found = space(job, only), []
    points = Points(where)
    for row in range(points.count):
        for places in product(*(range(n) for n in points.shape)):
            layout = points.layout(row, places)
            if where.allows(layout):
                at = {**job.values(), **{name: Fraction(value) for name, value in layout.items()}}
                found.append((layout, exactly(plan(), at, ["M", "T_step", "c_run"])))
    return found


@pytest.fixture(scope="module")
def small() -> tuple[Job, Layouts]:
    job = jobs.llama3_8b()
    return job, every_layout(job, FEW)


def fitting(job: Job, layouts: Layouts, share: Fraction = Fraction(9, 10)) -> Layouts:
    return [one for one in layouts if one[1]["M"] <= share * job.values()["M_dev"]]


@pytest.mark.parametrize(
    ("objective", "letter"), [("time", "T_step"), ("memory", "M"), ("cost", "c_run")]
)
def test_the_best_is_the_best_of_all(
    small: tuple[Job, Layouts], objective: Objective, letter: str
) -> None:
    job, layouts = small
    found = search(job, plan(), Wishes(objective, only=FEW))
    assert found.best[0].values[letter] == min(values[letter] for _, values in fitting(job, layouts))
    assert found.complete


def test_every_layout_is_counted_once(small: tuple[Job, Layouts]) -> None:
    job, layouts = small
    tally = search(job, plan(), Wishes(only=FEW)).tally
    meshes = {tuple(layout[n] for n in ORDER) for layout, _ in fitting(job, layouts)}
    evaluated = [layout for layout, _ in layouts if tuple(layout[n] for n in ORDER) in meshes]
    assert tally.valid == len(layouts)
    assert tally.fitting == len(fitting(job, layouts))
    assert tally.evaluated == len(evaluated)
    assert tally.pruned == len(layouts) - len(evaluated)


def test_one_layout_is_shown_of_each_mesh(small: tuple[Job, Layouts]) -> None:
    job, layouts = small
    found = search(job, plan(), Wishes(number=100, only=FEW)).best
    best: dict[tuple[int, ...], Fraction] = {}
    for layout, values in fitting(job, layouts):
        mesh = tuple(layout[n] for n in ("t", "c", "p", "e"))
        best[mesh] = min(best.get(mesh, values["T_step"]), values["T_step"])
    shown = {tuple(o.layout[n] for n in ("t", "c", "p", "e")): o.values["T_step"] for o in found}
    assert len(found) == len(shown)
    assert shown == best


def test_all_layouts_are_ranked_where_asked(small: tuple[Job, Layouts]) -> None:
    job, layouts = small
    found = search(job, plan(), Wishes(number=40, alike=(), only=FEW)).best
    times = sorted((values["T_step"], values["M"]) for _, values in fitting(job, layouts))
    assert [(o.values["T_step"], o.values["M"]) for o in found] == times[:40]


def test_the_front_is_that_of_all_layouts(small: tuple[Job, Layouts]) -> None:
    job, layouts = small
    points = {(values["M"], values["T_step"]) for _, values in fitting(job, layouts)}
    unbeaten = sorted(
        (m, t) for m, t in points
        if not any(a <= m and b <= t and (a, b) != (m, t) for a, b in points)
    )  # fmt: skip
    front = search(job, plan(), Wishes(only=FEW)).front
    assert [o.memory for o in front] == pytest.approx([float(m) for m, _ in unbeaten], rel=1e-12)
    assert [o.value for o in front] == pytest.approx([float(t) for _, t in unbeaten], rel=1e-12)


def test_equal_layouts_come_in_a_fixed_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "BLOCK", 300)
    equal = Plan(LETTERS, (say("M", "a test", BYTE, "5"), say("T_step", "a test", SECOND, "7")))
    found = search(jobs.llama3_8b(), equal, Wishes(number=50, alike=(), only=FEW)).best
    keys = [
        (*(o.layout[n] for n in ORDER), o.layout["z_1"] + o.layout["z_2"] + o.layout["z_3"],
         o.layout["z_f"], o.layout["z_s"]) for o in found
    ]  # fmt: skip
    where = space(jobs.llama3_8b(), FEW)
    assert len(keys) == 50
    assert keys == sorted(keys)
    assert all(where.allows(o.layout) for o in found)
    assert keys[0] == (1, 1, 1, 1, 1, 1, 1, 0, 0, 0)


def test_a_layout_just_above_the_limit_is_not_shown() -> None:
    job = jobs.llama3_8b()
    least = search(job, plan(), Wishes("memory", number=1)).best[0].values["M"]
    share = least / job.values()["M_dev"]
    assert search(job, plan(), Wishes("memory", limit=share)).best[0].values["M"] == least
    assert search(job, plan(), Wishes("memory", limit=share * (1 - Fraction(1, 10**12)))).best == ()


def test_blocks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    job = jobs.llama3_8b()
    whole = search(job, plan())
    monkeypatch.setattr(arrays, "BLOCK", 500)
    assert search(job, plan()) == whole


def test_near_ones_are_ties_and_ordered_by_head_room() -> None:
    found = search(jobs.llama3_8b(), plan(), Wishes(model_error=Fraction(1, 50)))
    limit = found.best[0].values["T_step"] * Fraction(51, 50)
    assert [o.tied for o in found.best] == [o.values["T_step"] <= limit for o in found.best]
    assert 1 < len(found.ties) < len(found.best)
    assert [o.values["M"] for o in found.ties] == sorted(o.values["M"] for o in found.ties)


def test_less_memory_leaves_fewer_layouts() -> None:
    tight = search(jobs.llama3_8b(), plan(), Wishes(limit=Fraction(2, 5)))
    wide = search(jobs.llama3_8b(), plan())
    assert tight.tally.fitting < wide.tally.fitting
    assert tight.tally.pruned > wide.tally.pruned
    assert all(o.values["M"] <= Fraction(2, 5) * 85_520_809_984 for o in tight.best)
    assert tight.best[0].values["T_step"] >= wide.best[0].values["T_step"]


def test_nothing_fits_on_small_devices() -> None:
    found = search(jobs.llama3_405b(M_dev=10**9), plan())
    assert (found.best, found.front, found.ties) == ((), (), ())
    assert found.tally.pruned == found.tally.valid > 0


def test_no_layout_at_all_is_an_error() -> None:
    with pytest.raises(UserError, match="no layout fulfils the constraints"):
        search(jobs.llama3_8b(b=1), plan(), Wishes(only={"t": [1], "c": [1], "p": [1]}))


def test_progress_is_told_and_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "BLOCK", 2_000)
    told: list[tuple[int, int]] = []
    whole = search(jobs.llama3_8b(), plan(), progress=lambda done, of: told.append((done, of)))
    assert len(told) > 3
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)

    def interrupt(done: int, of: int) -> None:
        if 3 * done > of:
            raise KeyboardInterrupt

    part = search(jobs.llama3_8b(), plan(), progress=interrupt)
    assert not part.complete
    assert part.best
    assert 0 < part.tally.valid < whole.tally.valid


def test_ctrl_c_at_once_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("workings.planning.arrays_search.Sweep._block", interrupted)
    found = search(jobs.llama3_8b(), plan())
    assert (found.best, found.complete) == ((), False)


def test_more_letters_can_be_evaluated() -> None:
    (option,) = search(jobs.llama3_8b(), plan(), Wishes(number=1, wanted=("u", "R_s"))).best
    at = {**jobs.llama3_8b().values(), **{n: Fraction(v) for n, v in option.layout.items()}}
    exact = exactly(plan(), at)
    assert {name: exact[name] for name in ("M", "T_step", "u", "R_s")} == option.values


@pytest.mark.parametrize(
    "job", [jobs.gpt3_175b(), jobs.llama3_405b(), jobs.llama3_8b(), jobs.experts_64()],
    ids=lambda job: job.name,
)  # fmt: skip
def test_no_published_layout_is_faster_than_the_best(job: Job) -> None:
    found: Result = search(job, plan(), Wishes(limit=Fraction(1)))
    own = exactly(plan(), job.values(), ["M", "T_step"])
    assert own["M"] > job.values()["M_dev"] or found.best[0].values["T_step"] <= own["T_step"]


def test_one_mesh_can_be_swept_again_with_another_limit() -> None:
    job = jobs.llama3_8b()
    only = {"t": [2], "c": [1], "p": [1], "v": [1], "b_m": [1]}
    reading = Reading(plan(), job.values(), Points(space(job, only)), ("M", "T_step"))
    tight, wide = (Sweep(reading, "T_step", share * 85.52e9) for share in (0.4, 0.9))
    for sweep in (tight, wide):
        assert sweep.run()
    assert 0 < tight.tally.fitting < wide.tally.fitting
    (best,) = wide.best(1, ("t",))
    fastest = search(job, plan(), Wishes(number=1, only=only)).best[0].values["T_step"]
    assert best.value == pytest.approx(float(fastest), rel=1e-12)


def test_a_search_leaves_the_collection_of_garbage_as_it_was() -> None:
    only = {"t": [2], "c": [1], "p": [1], "v": [1], "b_m": [1]}
    search(jobs.llama3_8b(), plan(), Wishes(only=only))
    assert gc.isenabled()
    gc.disable()
    try:
        search(jobs.llama3_8b(), plan(), Wishes(only=only))
        assert not gc.isenabled()
    finally:
        gc.enable()


SEARCHING = """
import sys
from workings.planning.inputs import read_job
from workings.planning.search import Wishes, search
from workings.planning.stored import stored_plan
assert search(read_job("llama3-405b-16k"), stored_plan(), Wishes(only={"t": [8], "c": [1]})).best
print(*sys.modules)
"""


def test_a_search_of_a_stored_plan_loads_no_more_than_it_needs() -> None:
    ran = subprocess.run(  # noqa: S603 - our own lines, in a fresh interpreter
        [sys.executable, "-c", SEARCHING], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(Path(workings.__file__).parents[1])},
    )  # fmt: skip
    loaded = set(ran.stdout.split())
    assert "workings.planning.arrays" in loaded
    assert not loaded & {
        "sympy", "msgspec", "hashlib", "workings.formula.grammar", "workings.planning.cost",
        "workings.scenario.load", "workings.scenario.hf", "workings.catalogue",
    }  # fmt: skip
