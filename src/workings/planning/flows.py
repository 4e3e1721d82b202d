"""What moves over which link in a step, how often, how long it takes and how much of that hides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.shares import letters_of, worth
from workings.planning.waterfall import slowest_stage

HOST = "host"  # an axis of one rank, and its link
# Seconds that messages take to start, each time: those of a ring, or to every other rank.
_RING = "{times}*({size} - 1)*((1 - q_{link})*alpha_1 + q_{link}*alpha_2)"


@dataclass(frozen=True, slots=True)
class Flow:
    """One axis: bytes a rank sends each time, times a step, link, total and exposed seconds.

    A time takes `start` seconds of start-up and its bytes over the bandwidth. `formula` gives the bytes,
    `letters` are those that a reader looks up.
    """

    axis: str
    what: str
    letters: tuple[str, ...]
    formula: str
    size: int
    bytes: Fraction
    count: Fraction
    link: str
    bandwidth: Fraction
    start: Fraction
    exposed: Fraction

    @property
    def starts(self) -> Fraction:
        """Seconds of a step in which messages start."""
        return self.count * self.start

    @property
    def seconds(self) -> Fraction:
        """All of a step's seconds, hidden or not."""
        return self.count * (self.start + self.bytes / self.bandwidth)

    @property
    def hidden(self) -> Fraction:
        """The share of its time that compute hides."""
        return 1 - self.exposed / self.seconds if self.seconds else Fraction(0)


def flows(values: Mapping[str, Fraction]) -> tuple[Flow, ...]:
    """The axes that move something, in the order of their groups."""
    return tuple(flow for flow in _flows(values) if flow.bytes)


# The collectives of a block and a micro-batch: how often they start is `times`, their start-up none
# where the cost model has none.
_OF_A_BLOCK = (
    ("tensor", "gathers and reductions of a block", "V_t", "t", "t", ("T_t",), "n_t"),
    ("context", "keys and values of a block", "V_c", "c", "c", (), ""),
    ("expert", "tokens to experts and back, a block", "V_e", "e", "e", ("T_ea",), "x_E*n_x"),
    ("expert tensor", "tokens gathered and outputs reduced, a block", "V_te", "te", "t_e", ("T_et",),
     "x_E*n_x"),
)  # fmt: skip


def _flows(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    _, blocks, _ = slowest_stage(v)
    count = v["m"] * worth(blocks, v)
    sent = v["T_ea"] + v["T_et"]
    experts = v["T_e"] / sent if sent else Fraction(0)
    for axis, what, letter, link, size, time, times in _OF_A_BLOCK:
        ring = _RING.format(times=times, size=_SIZES.get(size, size), link=link)
        start = worth(ring, v) if times else Fraction(0)
        seconds = count * (start + v[letter] / v[f"W_{link}"])
        shown = {"tensor": 1 - v["h_t"], "context": Fraction(1)}.get(axis, experts)
        yield Flow(axis, what, (letter, f"W_{link}", *time, "m", *letters_of(blocks)), letter,
                   int(v[size]), v[letter], count, _link(v, link), v[f"W_{link}"], start,
                   shown * seconds)  # fmt: skip
    yield from _pipeline(v)
    yield from _data(v)
    yield from _host(v, blocks, count)


_SIZES = {"t_e": "t_x"}  # of an expert's ranks, those that hold it split


def _pipeline(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    """Sends of a middle rank: a chunk's output forward, and its input's gradient back."""
    sends = 2 * v["v"] * v["m"] * v["x_p"]
    formula = "a*T_r*D/t"
    message = worth(formula, v) * v["x_p"]
    start = worth("x_q*alpha_2 + (1 - x_q)*alpha_1", v)
    yield Flow("pipeline", "a boundary's activations", ("W_p", "T_hop", "x_q"), formula, int(v["p"]),
               message, sends, _between_stages(v), v["W_p"], start,
               min(v["T_send"], sends * v["T_hop"]))  # fmt: skip


def _data(v: Mapping[str, Fraction]) -> Iterator[Flow]:
    """Each pass over a rank's parameters; what is left exposed is shared in proportion to their times."""
    whole = v["T_d"]
    copies = ("gradients all-reduced among the copies", "2*(n_r - 1)/(n_r*N)*g*P_top", "n_b*tau_r",
              Fraction(1))  # fmt: skip
    for axis, link, size, passes in (
        ("data", "W_d", "N", (*_passes(v, "(N - 1)/N*P_top", "n_b", "d"), copies)),
        ("expert data", "W_x", "d_e", tuple(_passes(v, "(d_e - 1)/d_e*E_top", "n_bx", "x"))),
    ):
        for what, formula, starts, times in passes:
            bytes_, start = worth(formula, v), worth(starts, v)
            time = times * (start + bytes_ / v[link])
            exposed = v["T_sync"] * time / whole if whole else Fraction(0)
            letters = (link, *letters_of(starts))
            yield Flow(axis, what, letters, formula, int(v[size]), bytes_, times, _link(v, link[-1]),
                       v[link], start, exposed)  # fmt: skip


def _passes(
    v: Mapping[str, Fraction], ring: str, pieces: str, axis: str
) -> Iterator[tuple[str, str, str, Fraction]]:
    """What `w_sync` is made of: collectives over so many elements of a ring, their bytes, how often.

    Each time all pieces go round, and each piece starts anew.
    """
    alone, again = 1 - v["z_1"], v["z_3"] * v["m"]
    sharded = v["z_2"] * v["n_z"]
    turn = "each micro-batch" if sharded == v["m"] else f"each {int(v['p'])} micro-batches"
    turn = "the last micro-batch" if v["x_late"] else turn
    for what, width, start, times in (
        ("gradients all-reduced", "2*g", "tau_a", alone),
        ("weights all-gathered, before each forward and backward", "w", "tau_", 2 * again),
        (f"gradients reduce-scattered, after {turn}", "g", "tau_", sharded),
        ("gradients reduce-scattered", "g", "tau_", v["z_1"] * (1 - v["z_2"])),
        ("new weights all-gathered", "w", "tau_", v["z_1"] * (1 - v["z_3"])),
    ):
        if times:
            yield what, f"{width}*{ring}", f"{pieces}*{start}{axis}", times


def _host(v: Mapping[str, Fraction], blocks: str, count: Fraction) -> Iterator[Flow]:
    """To the host and back: a block's activations, and what the host's optimizer needs and gives."""
    letters = ("B_away", "T_away", "m", *letters_of(blocks))
    yield Flow(HOST, "a block's activations, sent and fetched again", letters, "B_away", 1, v["B_away"],
               2 * count, HOST, v["W_h"], Fraction(0), count * v["T_away"])  # fmt: skip
    formula = "x_off*P_own*(w_g + w_c)"
    state = worth(formula, v)
    yield Flow(HOST, "gradients fetched for its optimizer, weights returned", ("P_own", "T_off"), formula,
               1, state, Fraction(1), HOST, v["W_h"], Fraction(0), state / v["W_h"])  # fmt: skip


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
