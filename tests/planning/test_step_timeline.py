"""A step by the clock: stages that differ, sends that are waited for, traffic behind micro-batches."""

from fractions import Fraction

import pytest
from awkward import Letter, Values, awkward, flags_of_zero

from workings.simulate.interleaved import interleaved
from workings.simulate.peak import one_f_one_b_order


def stage_times(v: Values) -> list[Fraction]:
    """Forward and backward of a micro-batch on each stage, block by block, the head on the last."""
    counts = [v["L_first"], *[v["L_mid"]] * int(v["p"] - 2), v["L_last"]]
    times = [sum((v["T_blk"] for _ in range(int(n))), Fraction(0)) for n in counts[: int(v["p"])]]
    times[-1] += v["T_head"]
    return times


def one_f_one_b(stages: list[Fraction], microbatches: int, hop: Fraction = Fraction(0)) -> Fraction:
    """When 1F1B is done: a task starts once its rank is free and what it needs has arrived."""
    count = len(stages)
    queues = [one_f_one_b_order(count, rank, microbatches) for rank in range(count)]
    free, done = [Fraction(0)] * count, dict[tuple[str, int, int], Fraction]()
    while any(queues):
        for rank, queue in enumerate(queues):
            if not queue:
                continue
            phase, number = queue[0].phase, queue[0].microbatch
            source = (phase, number, rank - 1 if phase == "F" else rank + 1)
            if 0 <= source[2] < count and source not in done:
                continue
            arrived = done[source] + hop if 0 <= source[2] < count else Fraction(0)
            takes = stages[rank] * Fraction(1 if phase == "F" else 2, 3)
            free[rank] = max(free[rank], arrived) + takes
            done[phase, number, rank] = free[rank]
            queue.pop(0)
    return max(free)


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
    assert v["T_work"] + v["T_idle"] == one_f_one_b(stages, int(v["m"]))
    assert v["T_all"] == sum(stages)


@pytest.mark.parametrize(("p", "count"), [(2, 7), (4, 14), (4, 15), (8, 14)])
def test_the_slowest_stage_may_be_any(p: int, count: int) -> None:
    v = awkward(p=p, L=count, v=1, V=1, n=48 * p)
    stages = stage_times(v)
    assert v["T_max"] == sorted(stages)[-1] > stages[-1]
    assert v["T_all"] == sum(stages)
    until = one_f_one_b(stages, int(v["m"]))
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
    waits = one_f_one_b(stages, m, v["T_hop"]) - one_f_one_b(stages, m)
    assert v["T_send"] == (1 - h_p) * waits


@pytest.mark.parametrize(("p", "v", "m"), [(2, 2, 8), (4, 2, 4), (4, 3, 16), (8, 2, 32)])
def test_several_chunks_wait_for_one_micro_batch_s_way_there_and_back(p: int, v: int, m: int) -> None:
    found = awkward(p=p, v=v, L=p * v, L_E=0, V=0, n=48 * p, b=4 * m, b_m=1, W_2=10**12, W_3=10**12,
                    n_node=1)  # fmt: skip
    chunk = stage_times(found)[0] / v
    assert found["T_hop"] < chunk / 3
    waits = [interleaved(p, m, v, chunk / 3, 2 * chunk / 3, hop).makespan for hop in (found["T_hop"], 0)]
    assert found["T_send"] == (1 - found["h_p"]) * (waits[0] - waits[1])


def exposed(microbatches: int, work: Fraction, traffic: list[Fraction]) -> Fraction:
    """Compute and link side by side: transfer i starts with micro-batch i, the next waits for both.

    `traffic` is that of the last micro-batches; those before send nothing.
    """
    clock = Fraction(0)
    sends = [Fraction(0)] * (microbatches - len(traffic)) + traffic
    for transfer in sends:
        computed = sent = clock
        computed += work
        sent += transfer
        clock = max(computed, sent)
    return clock - microbatches * work


@pytest.mark.parametrize("h_d", [Fraction(0), Fraction(3, 4), Fraction(1)])
@pytest.mark.parametrize("slower", [1, 40, 4000])
@pytest.mark.parametrize("stage", [1, 2, 3])
def test_traffic_hides_behind_as_many_micro_batches_as_send(
    stage: int, slower: int, h_d: Fraction
) -> None:
    v = awkward(**flags_of_zero(stage), h_d=h_d, W_2=Fraction(5 * 10**9, slower), W_1=10**12, W_3=10**12)
    microbatches = int(v["m"])
    sending = microbatches if stage >= 2 else 1
    traffic = [v["T_d"] / sending] * sending
    assert v["T_sync"] == exposed(microbatches, h_d * v["T_max"], traffic)
    assert v["T_sync"] > 0 or (slower == 1 and h_d > 0)


@pytest.mark.parametrize("h_d", [Fraction(0), Fraction(1)])
@pytest.mark.parametrize("slower", [1, 100, 4000])
def test_gradients_that_nobody_shares_hide_behind_the_last_backward_alone(
    slower: int, h_d: Fraction
) -> None:
    v = awkward(**flags_of_zero(0), h_d=h_d, W_2=Fraction(5 * 10**9, slower), W_1=10**12, W_3=10**12)
    forward, backward = v["T_max"] / 3, 2 * v["T_max"] / 3
    first_gradient = forward if h_d else forward + backward
    assert v["T_sync"] == max(0, first_gradient + v["T_d"] - (forward + backward))


@pytest.mark.parametrize(
    "changed", [{}, {"n_pos": 900}, {"L_E": 14}, {"x_off": 1}, {"x_off": Fraction(1, 4)}]
)
@pytest.mark.parametrize("stage", [0, 1])
def test_the_optimizer_reads_and_writes_its_state(stage: int, changed: dict[str, Letter]) -> None:
    v = awkward(**flags_of_zero(stage), **changed)
    seconds = Fraction(0)
    for parameters, ranks in ((v["P_top"], v["N"]), (v["E_top"], v["d_e"])):
        mine = parameters / (ranks if stage else 1)
        touched = {"gradient read": v["w_g"], "weight written": v["w_c"]}
        for state, width in {"master": v["w_p"], "mean": v["w_o"], "variance": v["w_o"]}.items():
            touched |= {f"{state} read": width, f"{state} written": width}
        here, there = (1 - v["x_off"]) * mine, v["x_off"] * mine
        for place, speed in ((here, v["eta_m"] * v["W_m"]), (there, v["W_hm"])):
            seconds += sum(width * place for width in touched.values()) / speed
        for width in (v["w_g"], v["w_c"]):  # gradients to the host, weights back
            seconds += width * there / v["W_h"]
    assert v["T_opt"] == seconds


@pytest.mark.parametrize("slow", [1, 10**6])
def test_a_step_is_everything_one_after_the_other(slow: int) -> None:
    v = awkward(W_1=10**12, W_2=Fraction(10**12, slow), W_3=10**12, z_1=1)
    parts = ("T_work", "T_idle", "T_send", "T_sync", "T_opt")
    assert all(v[part] > 0 for part in parts if part != "T_sync")
    assert (v["T_sync"] > 0) == (slow > 1)
    assert v["T_step"] == sum(v[part] for part in parts)
