"""A step by the clock: stages that differ, sends that are waited for, the optimizer."""

from fractions import Fraction

import pytest
from awkward import Letter, Values, awkward, flags_of_zero
from looping import each

from workings.planning.letters import STAGES
from workings.simulate.interleaved import interleaved
from workings.simulate.peak import interleaved_order, one_f_one_b_order


def stage_times(v: Values) -> list[Fraction]:
    """Forward and backward of a micro-batch on each stage, block by block, the head on the last."""
    counts = [v["L_first"], *[v["L_mid"]] * int(v["p"] - 2), v["L_last"]]
    times = [sum((v["T_blk"] for _ in range(int(n))), Fraction(0)) for n in counts[: int(v["p"])]]
    times[-1] += v["T_head"]
    return times


def finish(
    stages: list[Fraction], microbatches: int, chunks: int = 1, hops: list[Fraction] | None = None
) -> Fraction:
    """When a step is done: a task starts once its rank is free and what it needs has arrived.

    `hops` has the time of a message from each rank to the next, the last one's to the first. Ranks
    run 1F1B, with several chunks interleaved; a backward takes twice as long as a forward.
    """
    count, last = len(stages), len(stages) * chunks - 1
    hops = hops or [Fraction(0)] * count
    queues = [one_f_one_b_order(count, rank, microbatches) for rank in range(count)]
    if chunks > 1:
        queues = [interleaved_order(count, rank, microbatches, chunks) for rank in range(count)]
    free, done = [Fraction(0)] * count, dict[tuple[str, int, int], Fraction]()
    while any(queues):
        for rank, queue in enumerate(queues):
            if not queue:
                continue
            task, stage = queue[0], queue[0].chunk * count + rank
            forward = task.phase == "F"
            source = (task.phase, task.microbatch, stage - 1 if forward else stage + 1)
            arrived = Fraction(0)
            if 0 <= source[2] <= last:
                if source not in done:
                    continue
                arrived = done[source] + hops[(rank - 1) % count if forward else rank]
            takes = stages[rank] / chunks * Fraction(1 if forward else 2, 3)
            free[rank] = max(free[rank], arrived) + takes
            done[task.phase, task.microbatch, stage] = free[rank]
            queue.pop(0)
    return max(free)


def hops_of(v: Values) -> list[Fraction]:
    """The time of a message from each stage to the next, round to the first, from where they lie."""
    size, found = v["T_r"] / v["t"] * v["D"] * v["a"], []
    first = [int(v["n"] / v["p"]) * stage for stage in range(int(v["p"]))]  # a rank of each stage
    for one, other in zip(first, [*first[1:], first[0]], strict=True):
        inside = v["eta_1"] * v["W_1"]
        if one // v["n_node"] == other // v["n_node"]:
            found.append(v["alpha_1"] + size / inside)
        else:
            found.append(v["alpha_2"] + size / min(inside, v["eta_2"] * v["W_2"]))
    return found


SLOWEST_LAST: list[dict[str, Letter]] = [
    {"p": 4, "L": 16, "L_E": 0}, {"p": 4, "L": 15, "L_E": 2, "V": 10**5}, {"p": 2, "n": 96, "L": 6},
    {"p": 3, "n": 144, "V": 10**6, "b": 36}, {"p": 1, "n": 48}, {"p": 6, "n": 288, "L": 24, "b": 24},
]  # fmt: skip


@pytest.mark.parametrize("changed", SLOWEST_LAST)
def test_a_pipeline_takes_as_long_as_its_schedule_run_on_stages_that_differ(
    changed: dict[str, Letter],
) -> None:
    v = awkward(v=1, **changed)
    stages = stage_times(v)
    assert v["T_max"] == sorted(stages)[-1] == stages[-1]
    assert v["T_work"] + v["T_idle"] == finish(stages, int(v["m"]))
    assert v["T_all"] == sum(stages)


@pytest.mark.parametrize(("p", "count"), [(2, 7), (4, 14), (4, 15), (8, 14)])
def test_the_slowest_stage_may_be_any(p: int, count: int) -> None:
    v = awkward(p=p, L=count, v=1, V=1, n=48 * p)
    stages = stage_times(v)
    assert v["T_max"] == sorted(stages)[-1] > stages[-1]
    assert v["T_all"] == sum(stages)
    until = finish(stages, int(v["m"]))
    assert 0 <= v["T_work"] + v["T_idle"] - until < v["T_blk"]


@pytest.mark.parametrize(("p", "v"), [(4, 2), (2, 3)])
def test_the_bubble_of_chunks_is_that_of_their_schedule(p: int, v: int) -> None:
    found = awkward(p=p, v=v, L=2 * p * v, L_E=0, V=0, n=48 * p, b=12 * p, b_m=1)
    chunk = stage_times(found)[0] / v
    run = interleaved(p, int(found["m"]), v, chunk / 3, 2 * chunk / 3)
    assert found["T_work"] == run.busy(0)
    assert found["T_idle"] == run.idle(0)
    assert found["x_idle"] == Fraction(run.idle(0)) / run.makespan


@pytest.mark.parametrize("h_p", [0, Fraction(1, 4)])
@pytest.mark.parametrize(("p", "m"), [(1, 8), (2, 7), (4, 1), (4, 2), (4, 13), (5, 20), (8, 9)])
def test_one_chunk_a_rank_waits_for_messages_as_its_schedule_does(p: int, m: int, h_p: Letter) -> None:
    v = awkward(p=p, v=1, L=p, L_E=0, V=0, n=48 * p, b=4 * m, b_m=1, h_p=h_p, W_2=10**12, n_node=1)
    stages = stage_times(v)
    assert v["m"] == m
    assert v["T_hop"] < stages[0]
    waits = finish(stages, m, hops=[v["T_hop"]] * p) - finish(stages, m)
    assert v["T_send"] == (1 - h_p) * waits


def in_nodes(p: int, v: int, m: int, stages: int, slower: int = 10) -> dict[str, Fraction]:
    """A pipeline of like stages, so many on a node; a message between nodes takes longer."""
    layout = {"p": p, "v": v, "L": p * v, "n": 48 * p, "b": 4 * m, "n_node": 48 * stages}
    alike = {"L_E": 0, "V": 0, "b_m": 1, "n_pod": 10**9, "alpha_1": 0, "alpha_2": 0}
    return awkward(**layout, **alike, W_1=10**12, W_2=Fraction(10**12, slower))


@pytest.mark.parametrize(("p", "v", "m"), [(4, 2, 4), (4, 3, 16), (8, 2, 32), (6, 3, 6)])
@pytest.mark.parametrize("stages", [1, 2, 3, 4])
def test_chunks_wait_for_every_boundary_there_and_back_near_or_far(
    stages: int, p: int, v: int, m: int
) -> None:
    found = in_nodes(p, v, m, stages)
    times, hops = stage_times(found), hops_of(found)
    assert found["T_far"] == max(hops) < times[0] / v / 3
    assert len(set(hops)) == (1 if stages in (1, p) else 2)
    waits = finish(times, m, v, hops) - finish(times, m, v)
    assert found["T_send"] == (1 - found["h_p"]) * waits


@pytest.mark.parametrize(
    ("p", "m", "stages", "slower"),
    [(3, 13, 2, 9), (5, 25, 4, 2), (9, 41, 4, 100), (9, 41, 8, 100), (7, 8, 2, 2), (7, 8, 2, 9),
     (8, 33, 4, 1)],
)  # fmt: skip
def test_one_chunk_waits_for_every_boundary_or_for_the_slowest(
    p: int, m: int, stages: int, slower: int
) -> None:
    v = in_nodes(p, 1, m, stages, slower)
    times, hops = stage_times(v), hops_of(v)
    assert max(hops) < times[0] / 3
    waits = finish(times, m, hops=hops) - finish(times, m)
    assert v["T_send"] == (1 - v["h_p"]) * waits


@pytest.mark.slow
@each("slower", [1, 2, 5, 1000])
@each("stages", [1, 2, 3, 4, 5, 8])
@each("p, m", [(6, 24), (8, 33), (8, 64), (12, 51), (16, 67), (16, 128)])
def test_one_chunk_s_waits_are_the_schedule_s_within_a_seventh(
    p: int, m: int, stages: int, slower: int
) -> None:
    v = in_nodes(p, 1, m, stages, slower)
    times, hops = stage_times(v), hops_of(v)
    waits = finish(times, m, hops=hops) - finish(times, m)
    assert abs(v["T_send"] / (1 - v["h_p"]) / waits - 1) < Fraction(1, 7)


@pytest.mark.parametrize(("p", "v", "m"), [(2, 2, 8), (4, 2, 4), (4, 3, 16), (8, 2, 32)])
def test_several_chunks_wait_for_one_micro_batch_s_way_there_and_back(p: int, v: int, m: int) -> None:
    found = awkward(p=p, v=v, L=p * v, L_E=0, V=0, n=48 * p, b=4 * m, b_m=1, W_2=10**12, W_3=10**12,
                    n_node=1)  # fmt: skip
    chunk = stage_times(found)[0] / v
    assert found["T_hop"] < chunk / 3
    waits = [interleaved(p, m, v, chunk / 3, 2 * chunk / 3, hop).makespan for hop in (found["T_hop"], 0)]
    assert found["T_send"] == (1 - found["h_p"]) * (waits[0] - waits[1])


@pytest.mark.parametrize(
    "changed", [{}, {"n_pos": 900}, {"L_E": 14}, {"x_off": 1}, {"x_off": Fraction(1, 4)}]
)
@pytest.mark.parametrize("stage", [0, 1])
def test_the_optimizer_reads_and_writes_its_state(stage: int, changed: dict[str, Letter]) -> None:
    v = awkward(**flags_of_zero(stage), **changed)
    held = ((v[f"P_{place}"] / (v["N"] if stage else 1), v[f"E_{place}"] / (v["d_e"] if stage else 1))
            for place in STAGES)  # fmt: skip
    mine = max(dense + experts for dense, experts in held)  # the step waits for one rank, of one stage
    touched = {"gradient read": v["w_g"], "weight written": v["w_c"]}
    for state, width in {"master": v["w_p"], "mean": v["w_o"], "variance": v["w_o"]}.items():
        touched |= {f"{state} read": width, f"{state} written": width}
    here, there, seconds = (1 - v["x_off"]) * mine, v["x_off"] * mine, Fraction(0)
    for part, speed in ((here, v["eta_m"] * v["W_m"]), (there, v["W_hm"])):
        seconds += sum(width * part for width in touched.values()) / speed
    for width in (v["w_g"], v["w_c"]):  # gradients to the host, weights back
        seconds += width * there / v["W_h"]
    assert v["T_opt"] == seconds


@pytest.mark.parametrize("slow", [1, 10**6])
def test_a_step_is_everything_one_after_the_other(slow: int) -> None:
    v = awkward(W_1=10**12, W_2=Fraction(10**12, slow), W_3=10**12, z_1=1)
    parts = ("T_work", "T_idle", "T_send", "T_sync", "T_opt")
    assert all(v[part] > 0 for part in parts)
    assert (v["T_sync"] > v["T_ends"]) == (slow > 1)
    assert v["T_step"] == sum(v[part] for part in parts)
