"""Traffic of data parallelism beside the micro-batches, by the clock."""

from fractions import Fraction

from awkward import Letter, Values, awkward, flags_of_zero
from looping import each

Spell = tuple[Fraction, bool]  # how long, and whether the network is free


def spells(v: Values) -> list[Spell]:
    """A micro-batch on the slowest stage, block by block: work, then what a block itself sends.

    Of the work, a share `h_d` can have other traffic beside it, and of the traffic what stays in a node.
    """
    own = {"t": v["T_t"], "c": v["V_c"] / v["W_c"], "e": v["T_ea"], "te": v["T_et"]}
    found = []
    for _ in range(int(max(v["L_first"], v["L_mid"], v["L_last"]))):
        for seconds, apart in ((v["T_fwd"] + v["T_bwd"], 0), *((own[a], v[f"q_{a}"]) for a in own)):
            beside = Fraction(0) if apart else v["h_d"] * seconds
            found += [(beside, True), (seconds - beside, False)]
    return found


def exposed(microbatch: list[Spell], transfers: list[Fraction]) -> Fraction:
    """Micro-batches by the clock: transfer i goes on while the network is free, the next waits for it."""
    clock, work = Fraction(0), Fraction(0)
    for transfer in transfers:
        left = transfer
        for seconds, free in microbatch:
            clock, work = clock + seconds, work + seconds
            left -= min(left, seconds) if free else 0
        clock += left
    return clock - work


def since_the_first_gradients(microbatch: list[Spell], m: int, in_flight: Fraction) -> list[Spell]:
    """All of a step but the forwards, after the first, that come before there are any gradients."""
    forward, backward = ([(part * seconds / 3, free) for seconds, free in microbatch] for part in (1, 2))
    before = [((in_flight - 1) * seconds, free) for seconds, free in forward]
    left = [((m - in_flight) * seconds, free) for seconds, free in forward]
    assert sum(s for s, _ in [*forward, *before, *left, *backward * m]) == m * sum(
        s for s, _ in microbatch
    )
    return [*forward, *left, *backward * m]


def of_traffic(slower: int, **changed: Letter) -> dict[str, Fraction]:
    """A job without a head, whose traffic between nodes takes longer."""
    links: dict[str, Letter] = {"W_1": 10**12, "W_2": Fraction(5 * 10**9, slower), "W_3": 10**12}
    return awkward(**{"V": 0, **links, **changed})


NETWORK: list[dict[str, Letter]] = [
    {}, {"c": 1, "n": 64}, {"e": 8}, {"n_node": 24}, {"n_node": 2}, {"n_node": 2, "t_e": 4},
    {"n_node": 1, "E_s": 0},
]  # fmt: skip


@each("h_d", [Fraction(0), Fraction(3, 4), Fraction(1)])
@each("slower", [1, 40, 10**6])
@each("stage", [1, 2, 3])
@each("changed", NETWORK)
def test_traffic_hides_behind_the_micro_batches_that_send_while_the_network_is_free(
    changed: dict[str, Letter], stage: int, slower: int, h_d: Fraction
) -> None:
    v = of_traffic(slower, **flags_of_zero(stage), h_d=h_d, **changed)
    microbatches = int(v["m"])
    sending = microbatches if stage == 3 else 1
    microbatch = spells(v)
    assert sum(seconds for seconds, _ in microbatch) == v["T_max"]
    if stage == 2:
        microbatch = since_the_first_gradients(microbatch, microbatches, v["i_mid"])
    assert v["T_sync"] == exposed(microbatch, [v["T_d"] / sending] * sending)
    assert v["T_sync"] > 0 or (slower < 10**6 and h_d > 0)


@each("h_d", [Fraction(0), Fraction(1)])
@each("slower", [1, 100, 10**6])
@each("changed", NETWORK)
def test_gradients_that_nobody_shares_hide_behind_the_last_backward_alone(
    changed: dict[str, Letter], slower: int, h_d: Fraction
) -> None:
    v = of_traffic(slower, **flags_of_zero(0), h_d=h_d, **changed)
    backward = [(2 * seconds / 3, free) for seconds, free in spells(v)]
    assert v["T_sync"] == exposed(backward, [v["T_d"]])
