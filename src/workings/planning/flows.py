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
        return Flow(axis, what, letter, int(v[size]), v[letter], times, _link(v, link[-1]), v[link],
                    total, exposed)  # fmt: skip

    whole = v["T_t"] / (1 - v["h_t"]) if v["h_t"] != 1 else v["V_t"] / v["W_t"]
    yield of("tensor", "gathers and reductions of a block", ("V_t", "W_t"), "t", count, count * whole,
             count * v["T_t"])  # fmt: skip
    for axis, what, letters, size in (
        ("context", "keys and values of a block", ("V_c", "W_c"), "c"),
        ("expert", "tokens to experts and back, a block", ("V_e", "W_e"), "e"),
    ):
        time = count * v[letters[0]] / v[letters[1]]
        yield of(axis, what, letters, size, count, time, time)
    yield from _pipeline(v)
    yield from _data(v)


def _pipeline(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    """Sends of a middle rank: a chunk's output forward, and its input's gradient back."""
    sends = 2 * v["v"] * v["m"] * v["x_p"]
    message = v["a"] * v["T_r"] * v["D"] / v["t"] * v["x_p"]
    yield Flow("pipeline", "a boundary's activations", "T_hop", int(v["p"]), message, sends,
               _link(v, "p"), v["W_p"], sends * v["T_hop"],
               min(v["T_send"], sends * v["T_hop"]))  # fmt: skip


def _data(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    """The dense part and the experts share what is left exposed in proportion to their times."""
    whole = v["T_d"]
    for axis, letter, link, size in (("data", "V_d", "W_d", "N"), ("expert data", "V_x", "W_x", "d_e")):
        time = v[letter] / v[link]
        exposed = v["T_sync"] * time / whole if whole else Fraction(0)
        yield Flow(axis, "gradients reduced, weights gathered", letter, int(v[size]), v[letter],
                   Fraction(1), _link(v, link[-1]), v[link], time, exposed)  # fmt: skip


def _link(v: Mapping[str, Fraction], axis: str) -> str:
    if v[f"y_{axis}"]:
        return "beyond the pod"
    return "network" if v[f"q_{axis}"] else "node"
