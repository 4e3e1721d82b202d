"""What moves over which link in a step, how often, how long it takes and how much of that hides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.waterfall import slowest_stage


@dataclass(frozen=True, slots=True)
class Flow:
    """One axis: bytes a rank sends each time, times a step, link, total and exposed seconds."""

    axis: str
    what: str
    letter: str
    size: int
    bytes: Fraction
    count: Fraction
    link: str
    bandwidth: Fraction
    seconds: Fraction
    exposed: Fraction

    @property
    def hidden(self) -> Fraction:
        """The share of its time that compute hides."""
        return 1 - self.exposed / self.seconds if self.seconds else Fraction(0)


def flows(values: Mapping[str, Fraction]) -> tuple[Flow, ...]:
    """The axes that move something, in the order of their groups."""
    return tuple(flow for flow in _flows(values) if flow.bytes)


def _flows(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    _, blocks, _ = slowest_stage(v)
    count = v["m"] * blocks

    def of(
        axis: str, what: str, letters: tuple[str, str], size: str, times: Fraction, total: Fraction,
        exposed: Fraction,
    ) -> Flow:  # fmt: skip
        letter, link = letters
        tier = _link(v, link.removeprefix("W_"))
        return Flow(axis, what, letter, int(v[size]), v[letter], times, tier, v[link], total, exposed)

    whole = v["T_t"] / (1 - v["h_t"]) if v["h_t"] != 1 else v["V_t"] / v["W_t"]
    yield of("tensor", "gathers and reductions of a block", ("V_t", "W_t"), "t", count, count * whole,
             count * v["T_t"])  # fmt: skip
    for axis, what, letters, size, time in (
        ("context", "keys and values of a block", ("V_c", "W_c"), "c", v["V_c"] / v["W_c"]),
        ("expert", "tokens to experts and back, a block", ("V_e", "W_e"), "e", v["T_ea"]),
        ("expert tensor", "tokens gathered and outputs reduced, a block", ("V_te", "W_te"), "t_e",
         v["T_et"]),
    ):  # fmt: skip
        yield of(axis, what, letters, size, count, count * time, count * time)
    yield from _pipeline(v)
    yield from _data(v)


def _pipeline(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    """Sends of a middle rank: a chunk's output forward, and its input's gradient back."""
    sends = 2 * v["v"] * v["m"] * v["x_p"]
    message = v["a"] * v["T_r"] * v["D"] / v["t"] * v["x_p"]
    yield Flow("pipeline", "a boundary's activations", "T_hop", int(v["p"]), message, sends,
               _between_stages(v), v["W_p"], sends * v["T_hop"],
               min(v["T_send"], sends * v["T_hop"]))  # fmt: skip


def _data(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    """Each pass over a rank's parameters; what is left exposed is shared in proportion to their times."""
    whole = v["T_d"]
    ring = (v["N"] - 1) / v["N"] * v["P_top"]
    copies = ("gradients all-reduced among the copies",
              2 * (v["n_r"] - 1) / (v["n_r"] * v["N"]) * v["g"] * v["P_top"], Fraction(1))  # fmt: skip
    experts = (v["d_e"] - 1) / v["d_e"] * v["E_top"]
    for axis, letter, link, size, passes in (
        ("data", "V_d", "W_d", "N", (*_passes(v, ring), copies)),
        ("expert data", "V_x", "W_x", "d_e", tuple(_passes(v, experts))),
    ):
        for what, size_of_one, times in passes:
            time = times * size_of_one / v[link]
            exposed = v["T_sync"] * time / whole if whole else Fraction(0)
            yield Flow(axis, what, letter, int(v[size]), size_of_one, times, _link(v, link[-1]), v[link],
                       time, exposed)  # fmt: skip


def _passes(v: Mapping[str, Fraction], ring: Fraction) -> Iterator[tuple[str, Fraction, Fraction]]:
    """What `w_sync` is made of: collectives over so many elements of a ring, their bytes, how often."""
    alone, again = 1 - v["z_1"], v["z_3"] * v["m"]
    sharded = again + (v["z_2"] - v["z_3"]) * v["n_z"]
    turn = "each micro-batch" if sharded == v["m"] else f"each {int(v['p'])} micro-batches"
    for what, width, times in (
        ("gradients all-reduced", 2 * v["g"], alone),
        ("weights all-gathered, before each forward and backward", v["w"], 2 * again),
        (f"gradients reduce-scattered, after {turn}", v["g"], sharded),
        ("gradients reduce-scattered", v["g"], v["z_1"] * (1 - v["z_2"])),
        ("new weights all-gathered", v["w"], v["z_1"] * (1 - v["z_3"])),
    ):
        if times:
            yield what, width * ring, times


def _link(v: Mapping[str, Fraction], axis: str) -> str:
    if v[f"y_{axis}"]:
        return "beyond the pod"
    return "network" if v[f"q_{axis}"] else "node"


def _between_stages(v: Mapping[str, Fraction]) -> str:
    """Where most boundaries between stages lie, and how many go farther."""
    nodes, pods, every = boundaries(v)
    if nodes < every:
        beyond = [f"{nodes} of {every} boundaries beyond it"] if nodes else []
        beyond += [f"{pods} beyond the pod"] if pods else []
        return ", ".join(["inside a node", *beyond]) if beyond else "node"
    if pods < every:
        return f"between nodes, {pods} of {every} boundaries beyond the pod" if pods else "network"
    return "beyond the pod"


def boundaries(v: Mapping[str, Fraction]) -> tuple[int, int, int]:
    """Boundaries between chunks on a micro-batch's way: those that leave a node, a pod, and all."""
    every = v["p"] * v["v"] - 1
    return int(v["x_q"] * every), int(v["x_y"] * every), int(every)
