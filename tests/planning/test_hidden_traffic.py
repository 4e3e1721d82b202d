"""Traffic of data parallelism beside the micro-batches, piece by piece, by the clock."""

from fractions import Fraction

import pytest
from awkward import Letter, Values, awkward, flags_of_zero
from looping import each

from workings.simulate.interleaved import interleaved
from workings.simulate.schedule import Schedule

Spell = tuple[Fraction, bool]  # how long, and whether the network is free
Block = list[Spell]


def blocks_of_a_microbatch(v: Values, part: Fraction = Fraction(1)) -> list[Block]:
    """A part of a micro-batch on the slowest stage: of each block work, then what it sends itself.

    Of the work, a share `h_d` can have other traffic beside it, and of the traffic what stays in a node.
    """
    own = {"t": v["T_t"], "c": v["V_c"] / v["W_c"], "e": v["T_ea"], "te": v["T_et"]}
    block: Block = []
    for seconds, apart in ((v["T_fwd"] + v["T_bwd"], 0), *((own[a], v[f"q_{a}"]) for a in own)):
        beside = Fraction(0) if apart else v["h_d"] * seconds * part
        block += [(beside, True), (seconds * part - beside, False)]
    return [block] * int(max(v["L_first"], v["L_mid"], v["L_last"]))


def seconds_of(blocks: list[Block]) -> Fraction:
    return sum((seconds for block in blocks for seconds, _ in block), Fraction(0))


def left_at_the_end(blocks: list[Block], pieces: list[Fraction]) -> Fraction:
    """Block after block computed, whose piece is sent from then on while the network is free."""
    waiting = Fraction(0)
    for block, piece in zip(blocks, pieces, strict=True):
        for seconds, free in block:
            waiting -= min(waiting, seconds) if free else 0
        waiting += piece
    return waiting


def pieces_of(v: Values, many: int) -> list[Fraction]:
    """So many: the last as long as the ends of a step, the others alike."""
    return [(v["T_d"] - v["T_ends"]) / (many - 1)] * (many - 1) + [v["T_ends"]]


def of_traffic(slower: int, **changed: Letter) -> dict[str, Fraction]:
    """A job without a head and with one chunk a rank, whose traffic between nodes takes longer."""
    links: dict[str, Letter] = {"W_1": 10**12, "W_2": Fraction(5 * 10**9, slower), "W_3": 10**12}
    return awkward(**{"V": 0, "v": 1, **links, **changed})


NETWORK: list[dict[str, Letter]] = [
    {}, {"c": 1, "n": 64}, {"e": 8}, {"n_node": 24}, {"n_node": 2}, {"n_node": 2, "t_e": 4},
    {"n_node": 1, "E_s": 0},
]  # fmt: skip
SLOWER = [1, 100, 10**6]


@each("h_d", [Fraction(0), Fraction(3, 4), Fraction(1)])
@each("slower", SLOWER)
@each("stage", [0, 1])
@each("changed", NETWORK)
def test_a_block_s_gradients_leave_while_the_next_is_computed_and_the_last_ones_after_it(
    changed: dict[str, Letter], stage: int, slower: int, h_d: Fraction
) -> None:
    """New weights come in the same way, the first of them before the forward."""
    v = of_traffic(slower, **flags_of_zero(stage), h_d=h_d, **changed)
    blocks = blocks_of_a_microbatch(v, Fraction(1) if stage else Fraction(2, 3))
    assert v["T_sync"] == left_at_the_end(blocks, pieces_of(v, len(blocks)))
    assert v["T_d"] / v["n_bx"] >= v["T_ends"] >= v["T_d"] / v["n_b"]


@each("h_d", [Fraction(0), Fraction(3, 4), Fraction(1)])
@each("slower", SLOWER)
@each("changed", [*NETWORK, {"v": 2}])
def test_sharded_gradients_leave_from_the_first_backward_on(
    changed: dict[str, Letter], slower: int, h_d: Fraction
) -> None:
    v = of_traffic(slower, **flags_of_zero(2), h_d=h_d, **changed)
    forward, backward = (blocks_of_a_microbatch(v, Fraction(part, 3)) for part in (1, 2))
    later = (v["m"] - v["i_mid"]) * len(forward)  # forwards of blocks behind the first backward
    first = len(forward) // int(v["v"]) if v["v"] > 1 else 1  # a chunk, or a block
    beside = forward[first:] + forward[:1] * int(later) + backward[first:] + backward * int(v["m"] - 1)
    free = sum((seconds for block in beside for seconds, alone in block if alone), Fraction(0))
    assert v["T_sync"] == max(v["T_ends"], v["T_d"] - free)
    assert v["T_ends"] * v["n_b"] < v["T_d"]


@each("h_d", [Fraction(0), Fraction(3, 4), Fraction(1)])
@each("slower", SLOWER)
@each("changed", [*NETWORK, {"v": 2}])
def test_sharded_weights_come_and_go_beside_every_block_but_for_the_first_and_the_last(
    changed: dict[str, Letter], slower: int, h_d: Fraction
) -> None:
    v = of_traffic(slower, **flags_of_zero(3), h_d=h_d, **changed)
    blocks = blocks_of_a_microbatch(v) * int(v["m"])
    each_time, clock = (v["T_d"] - v["T_ends"]) / len(blocks), v["T_ends"]
    for block in blocks:
        left = each_time
        for seconds, free in block:
            clock += seconds
            left -= min(left, seconds) if free else 0
        clock += left  # the next block waits for its weights
    assert v["T_sync"] == clock - seconds_of(blocks)


def ends(schedule: Schedule, rank: int, chunk: int) -> Fraction:
    """When a chunk's last gradients are there."""
    return Fraction(max(t.end for t in schedule.of(rank) if t.chunk == chunk))


def starts(schedule: Schedule, rank: int, chunk: int) -> Fraction:
    """When a chunk's weights are needed first."""
    return Fraction(min(t.start for t in schedule.of(rank) if t.chunk == chunk))


def waited_for(schedule: Schedule, chunks: int, gather: Fraction, reduce: Fraction) -> Fraction:
    """What the slowest rank waits for weights, chunk after chunk, and reduces after the schedule."""
    before = after = Fraction(0)
    for rank in range(schedule.ranks):
        clock = Fraction(0)
        for chunk in reversed(range(chunks)):
            clock = max(clock, ends(schedule, rank, chunk)) + reduce
        after = max(after, clock - schedule.makespan)
        late = [(chunk + 1) * gather - starts(schedule, rank, chunk) for chunk in range(chunks)]
        before = max(before, *late)
    return before + after


@each("slower", [1, 10**4, 10**8])
@each("stage", [0, 1])
@each("p, v, m", [(2, 2, 4), (4, 2, 8), (4, 3, 4), (8, 4, 16)])
def test_of_several_chunks_all_but_one_leave_while_others_are_computed(
    p: int, v: int, m: int, stage: int, slower: int
) -> None:
    """An interleaved schedule run task by task, every chunk's gradients sent once they are whole."""
    found = of_traffic(slower, **flags_of_zero(stage), h_d=1, p=p, v=v, L=2 * p * v, L_E=0, t=1, t_e=1,
                       c=1, z_s=0, e=1, n=8 * p, b=8 * m, b_m=1, n_node=4)  # fmt: skip
    assert found["m"] == m
    chunk = found["T_max"] / v
    schedule = interleaved(p, m, v, chunk / 3, 2 * chunk / 3)
    gather, reduce = (stage * found["w"], (2 - stage) * found["g"])
    one = found["T_ends"] / (gather + reduce)  # of a byte a parameter; starts of messages are nothing
    assert found["T_sync"] == waited_for(schedule, v, gather * one, reduce * one)


def test_where_gradients_are_whole_until_the_end_they_hide_as_unshared_ones_do() -> None:
    late, unshared = (awkward(**flags_of_zero(stage), z_each=0, v=1) for stage in (2, 1))
    assert late["x_late"] == 1
    assert late["T_hide"] == unshared["T_hide"]
    assert late["T_sync"] == unshared["T_sync"]


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
def test_the_more_that_hides_the_less_a_step_waits_but_never_for_nothing(stage: int) -> None:
    waits = [awkward(**flags_of_zero(stage), h_d=Fraction(part, 8))["T_sync"] for part in range(9)]
    assert waits == sorted(waits, reverse=True)
    assert waits[0] == awkward(**flags_of_zero(stage))["T_d"]
    assert waits[-1] > 0
