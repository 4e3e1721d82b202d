"""A step as a trace, read back as a viewer reads it."""

import json
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from awkward import LATENT, LAYOUT, MODEL, Letter, flags_of_zero
from click.testing import CliRunner, Result
from jobs import job
from looping import each

from workings.cli import main
from workings.errors import UserError
from workings.planning.cost import plan
from workings.planning.output.trace import as_trace, difference
from workings.planning.timeline import Timeline, timeline

Event = dict[str, Any]

JOB = ("--model", "llama3-8b", "--gpu", "h100-sxm", "--gpus", "32", "--per-node", "8", "--seq", "8192",
       "--global-batch", "64", "--microbatch", "1")  # fmt: skip
LAYOUTS: list[tuple[str, ...]] = [
    ("--pp", "1", "--tp", "4"),
    ("--pp", "4", "--tp", "2"),
    ("--pp", "4", "--tp", "2", "--virtual-stages", "2"),
]
SHAPES = [(1, 1, 8), (4, 1, 16), (4, 2, 16)]  # stages, chunks, micro-batches


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def of(path: Path) -> list[Event]:
    return list(json.loads(path.read_text(encoding="utf-8"))["traceEvents"])


def tracks(events: list[Event]) -> dict[tuple[int, int], list[Event]]:
    """The events that take time, by track, in the order of their start."""
    found: dict[tuple[int, int], list[Event]] = {}
    for event in sorted((e for e in events if e["ph"] == "X"), key=lambda e: (e["ts"], e["dur"])):
        found.setdefault((event["pid"], event["tid"]), []).append(event)
    return found


def end(event: Event) -> float:
    return float(event["ts"] + event["dur"])


def line(**changed: Letter) -> Timeline:
    given = job("awkward", {**MODEL, "E": 0, "k_E": 0, "E_s": 0, "L_E": 0, "F_E": 0}, LAYOUT, {"e": 1},
                changed).values()  # fmt: skip
    return timeline(plan(), given)


def read(found: Timeline) -> list[Event]:
    return list(json.loads(as_trace(found, "a job"))["traceEvents"])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_last_event_ends_with_the_step_that_the_plan_gives(
    layout: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "step.json"
    planned = json.loads(ran("plan", *JOB, *layout, "-n", "1", "--format", "json", "--trace",
                             str(path)).stdout)  # fmt: skip
    last = max(map(end, (e for e in of(path) if e["ph"] == "X")))
    assert math.isclose(last / 1e6, planned["best"][0]["values"]["T_step"], rel_tol=3e-16, abs_tol=0)


@pytest.mark.parametrize(("layout", "shape"), [*zip(LAYOUTS, SHAPES, strict=True)])
def test_a_review_draws_every_micro_batch_there_and_back_on_every_stage(
    layout: tuple[str, ...], shape: tuple[int, int, int], tmp_path: Path
) -> None:
    path, (stages, chunks, microbatches) = tmp_path / "step.json", shape
    result = ran("review", *JOB, *layout, "-o", str(tmp_path / "review"), "--trace", str(path))
    assert str(path) in result.output
    pipeline = [events for (group, _), events in tracks(of(path)).items() if group == 1]
    assert len(pipeline) == stages
    for events in pipeline:
        for kind in ("forward", "backward"):
            ours = [e["args"] for e in events if e["cat"] == kind]
            assert {(a["micro-batch"], a["chunk"]) for a in ours} == {
                (i, c) for i in range(microbatches) for c in range(chunks)
            }
            assert len(ours) == microbatches * chunks
            assert sum(a["blocks"] for a in ours) == microbatches * 32 // stages
        assert all(e["cat"] in ("exchange", "optimizer") for e in events[2 * microbatches * chunks :])
        assert [e["cat"] for e in events][-1] == "optimizer"


CASES: list[dict[str, Letter]] = [
    {"p": 1, "v": 1, "n": 48}, {"v": 1, "L": 16}, {"v": 1, "V": 1, "L": 15}, {"v": 2, "b": 192},
    {"v": 2, "L": 16, "b": 192, "h_p": 1}, {"v": 3, "p": 2, "n": 96, "V": 10**5, "z_f": 1},
    {"v": 1, "W_2": 10**4, "W_1": 10**5}, {"v": 1, "L": 10, "z_1": 1},
]  # fmt: skip


@each("changed", CASES)
def test_nothing_on_a_track_overlaps_and_what_a_stage_waits_for_comes_first(
    changed: dict[str, Letter],
) -> None:
    found = line(**changed)
    events = read(found)
    for track in tracks(events).values():
        assert all(end(one) <= other["ts"] for one, other in pairwise(track))
    last = max(end(e) for e in events if e["ph"] == "X")
    assert last == float(found.values["T_step"] * 10**6)
    p, v = found.schedule.ranks, int(found.values["v"])
    at = {
        (e["cat"], e["args"]["micro-batch"], e["args"]["chunk"] * p + e["tid"] - 1): e
        for e in events if e.get("cat") in ("forward", "backward")
    }  # fmt: skip
    hop = float((1 - found.values["h_p"]) * found.values["T_hop"] * found.shrunk) * 1e6 if p > 1 else 0
    for (kind, microbatch, place), event in at.items():
        before = place - 1 if kind == "forward" else place + 1
        if 0 <= before < p * v:
            assert event["ts"] + 2 * math.ulp(last) >= end(at[kind, microbatch, before]) + hop
        if kind == "backward":
            assert event["ts"] >= end(at["forward", microbatch, place])


def test_the_time_of_stages_is_the_plan_s() -> None:
    found = line(v=2, L=15, b=192)
    v = found.values
    of_stage = [sum(sum(chunk.times) for chunk in held) for held in found.chunks]
    assert of_stage == [v["L_first"] * v["T_blk"], *[v["L_mid"] * v["T_blk"]] * 2,
                        v["L_last"] * v["T_blk"] + v["T_head"]]  # fmt: skip
    assert sum(of_stage) == v["T_all"]


# What a backward waits for, in forwards: as many all-reduces; or what is gathered, gathered once more,
# and with full recomputation the whole forward again.
@each("changed, beside", [
    ({"z_s": 0}, 1), ({}, Fraction(3, 2)), ({"z_f": 1}, Fraction(5, 2)), ({"z_s": 0, "z_f": 1}, 2),
])  # fmt: skip
def test_a_forward_and_a_backward_each_have_their_own_tensor_parallel_traffic(
    changed: dict[str, Letter], beside: Letter
) -> None:
    chunk = line(v=1, L=16, V=1, **changed).chunks[1][0]
    assert (
        chunk.forward["tensor parallelism"] * Fraction(beside) == chunk.backward["tensor parallelism"] > 0
    )


def test_experts_tokens_go_out_and_back_as_often_in_the_backward() -> None:
    chunk = line(v=1, L=16, V=1, E=8, k_E=3, F_E=48, L_E=16, e=2).chunks[1][0]
    assert chunk.forward["expert parallelism"] == chunk.backward["expert parallelism"] > 0


def test_latents_gathered_in_place_of_inputs_shorten_both_ways() -> None:
    whole, latent = (line(v=1, L=16, V=1, **changed).chunks[1][0] for changed in ({}, LATENT))
    for side in ("forward", "backward"):
        parts = [getattr(chunk, side)["tensor parallelism"] for chunk in (latent, whole)]
        assert 0 < parts[0] < parts[1]


def test_alike_stages_take_what_the_plan_counts_for_the_pipeline() -> None:
    found = line(v=2, L=16, V=0, b=192, n_node=48, W_2=10**9, n_pod=10**9)
    assert found.takes == found.pipeline
    assert difference(found) == ""


def test_where_the_plan_counts_more_stages_wait_before_gradients_are_exchanged() -> None:
    found = line(v=1, V=1, L=14, h_p=1)
    assert found.takes < found.pipeline
    events = read(found)
    drained = max(end(e) for e in events if e.get("cat") == "backward")
    update = min(e["ts"] for e in events if e.get("cat") in ("exchange", "optimizer"))
    assert update - drained == pytest.approx(float(found.pipeline - found.takes) * 1e6)
    assert "stand empty" in difference(found)


def test_where_the_schedule_takes_longer_all_of_it_is_drawn_shorter() -> None:
    found = line(v=2, L=16, c=1, n=64, n_node=4, W_1=10**12, W_2=10**5, b=192)
    assert found.takes > found.pipeline
    first = next(e for e in read(found) if e.get("cat") == "forward")
    assert first["dur"] / 1e6 == pytest.approx(
        sum(first["args"]["seconds"].values()) * float(found.shrunk)
    )
    assert "% shorter" in difference(found)


@pytest.mark.parametrize(("stage", "slow"), [(0, 1), (1, 10**6), (3, 10**6)])
def test_gradients_and_optimizer_follow_on_every_stage_for_as_long_as_the_plan_counts(
    stage: int, slow: int
) -> None:
    found = line(v=1, L=16, W_2=Fraction(10**12, slow), W_1=10**12, W_3=10**12, **flags_of_zero(stage))
    for name, letter in (("exchange", "T_sync"), ("optimizer", "T_opt")):
        took = [e["dur"] for e in read(found) if e.get("cat") == name]
        seconds = float(found.values[letter])
        assert took == pytest.approx([seconds * 1e6] * (found.schedule.ranks if seconds else 0))


def test_messages_that_compute_hides_are_not_drawn() -> None:
    shown, hidden = (read(line(v=1, L=16, h_p=h)) for h in (0, 1))
    assert {e["pid"] for e in shown} == {1, 2}
    assert {e["pid"] for e in hidden} == {1}


def test_micro_batches_that_do_not_go_in_turns_are_refused() -> None:
    with pytest.raises(UserError, match=r"found 3 micro-batches, expected a multiple of the 4 stages"):
        line(v=2, b=36)


def test_more_tasks_than_a_viewer_shows_are_refused() -> None:
    with pytest.raises(
        UserError, match=r"found 400,000 forwards and backwards, expected at most 262,144"
    ):
        line(v=1, b=4 * 50_000, b_m=1)


@each("arguments, said", [
    (("review", "--format", "json"), "--format json: found --trace beside it"),
    (("review", "--check"), "--check: found --trace beside it"),
    (("plan", "--megatron-arguments"), "--megatron-arguments: found --trace beside it"),
])  # fmt: skip
def test_a_trace_beside_what_writes_nothing_is_refused(arguments: tuple[str, ...], said: str) -> None:
    result = ran(*arguments, *JOB, "--trace", "no-such-folder/step.json")
    assert (result.exit_code, said in result.stderr) == (2, True)


def test_a_trace_does_not_replace_the_job(tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_text("[model]\n", encoding="utf-8")
    for command in ("plan", "review"):
        result = ran(command, str(path), "--trace", str(path))
        assert (result.exit_code, "found it named twice" in result.stderr) == (2, True)
    assert path.read_text(encoding="utf-8") == "[model]\n"
