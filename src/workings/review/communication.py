"""What moves over which link in a step, and how the bandwidths and the hidden shares come about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.document.blocks import Block, Line, Prose, Text
from workings.planning.flows import HOST, Flow, boundaries, flows
from workings.planning.working import shown
from workings.review.desk import Cell, Desk, worked_by, working_of
from workings.review.numbers import alike, number, percent, plain_number, words
from workings.units import BYTE, SECOND


def communication(desk: Desk) -> Iterator[Block]:
    """The table, and what its columns do not say."""
    found = flows(desk.base)
    sizes = alike([f.bytes for f in found], BYTE)
    every = alike([x for f in found for x in (f.starts, f.seconds)], SECOND)
    starts, times = every[::2], every[1::2]
    rows: list[tuple[Cell, ...]] = [
        (f"{_axis(f)}: {f.what}", size, plain_number(f.count, 6),
         (Text(f"{f.link}, "), number(f.bandwidth, BYTE / SECOND)), start if f.starts else "0",
         seconds, percent(f.hidden, 2), worked_by(desk, f.formula, f.letters))
        for f, size, start, seconds in zip(found, sizes, starts, times, strict=True)
    ]  # fmt: skip
    caption = (
        "What a rank of the slowest stage sends in a step; its time is the start-up of its messages and "
        "bytes × times ÷ bandwidth"
    )
    yield desk.table("flows", caption, "wrrlrrrw",
                     ("axis", "bytes a time", "times", "link", "start-up", "time", "hidden", "worked"),
                     rows)  # fmt: skip
    sent = (_shares(desk, found), _pipeline(desk), _waits(desk, found), _data(desk, found))
    for note in (*sent, _host(desk)):
        if note:
            yield Prose(note)


def _axis(flow: Flow) -> str:
    return f"{flow.axis}, {flow.size:,} ranks" if flow.axis != HOST else flow.axis


def _shares(desk: Desk, found: tuple[Flow, ...]) -> Line:
    """The efficiencies that the bandwidths of the table include."""
    if not found:
        return ()
    near, far = (percent(desk.base[letter]) for letter in ("eta_1", "eta_2"))
    port = desk.base["eta_2"] * desk.base["W_2"]
    several = any(f.axis != "pipeline" and f.link == "network" and f.bandwidth > port for f in found)
    more = (
        " A ring with several ranks in a node crosses to the next one through the ports of all of them, "
        "and of what goes from all to all a part stays in the node: a rank's rate is then above that of "
        "one port."
    )
    return words(
        f"Bandwidths are those of a device's links times the share that transfers reach: {near} inside a "
        f"node, {far} between nodes.{more if several else ''}"
    )


def _pipeline(desk: Desk) -> Line:
    """At which bandwidths boundaries are crossed, where they differ."""
    v = desk.base
    if not v["x_p"]:
        return ()
    nodes, pods, every = boundaries(v)
    crossed = [
        f"{count} {where}, at {shown(v[letter] * share, BYTE / SECOND)}"
        for count, where, letter, share in (
            (every - nodes, "inside a node", "W_1", v["eta_1"]),
            (nodes - pods, "between nodes", "W_q", Fraction(1)),
            (pods, "beyond the pod", "W_y", Fraction(1)),
        ) if count
    ]  # fmt: skip
    if len(crossed) < 2:
        return ()
    said = (
        f"Between the pipeline's stages lie {every} boundaries: {' and '.join(crossed)}. The table has "
        "the mean of these bandwidths "
    )
    return (*words(said), working_of("W_p"), Text("."), *words(_beyond(desk)))


def _beyond(desk: Desk) -> str:
    """Why a device that sends beyond its pod has more than its part of those links."""
    v = desk.base
    stages = v["n_pod"] / v["sigma_p"]
    if not v["x_y"] or stages <= 1:
        return ""
    wire, share = shown(v["W_3"], BYTE / SECOND), percent(v["eta_2"])
    return (
        f" The links that leave a pod have {wire} for each device if all devices send at once. A pod "
        f"holds {plain_number(stages)} stages, and only one of them sends to another pod at a time, so "
        f"its devices have {plain_number(stages)} times that, but no more than inside the pod; {share} "
        "of it is reached."
    )


def _waits(desk: Desk, found: tuple[Flow, ...]) -> Line:
    """How many of its sends a step waits for."""
    for flow in found:
        if flow.axis == "pipeline" and 0 < flow.exposed < flow.seconds:
            waits = flow.exposed / flow.seconds * flow.count
            return words(
                f"A step waits for {plain_number(waits, 4)} of a rank's {plain_number(flow.count, 6)} "
                "sends; others leave while it waits for something else or computes."
            )
    return ()


def _data(desk: Desk, found: tuple[Flow, ...]) -> Line:
    """What the rows of data axes are of."""
    if not any(f.axis.endswith("data") for f in found):
        return ()
    return words(
        "The bytes of a data axis are those of one pass over the parameters of a rank of the fullest "
        f"stage. They go in pieces, {_pieces(desk.base)}, and each piece starts anew; the first that is "
        "gathered and the last that is reduced have no compute beside them. A hidden share is that of "
        "all passes together."
    )


def _pieces(v: Mapping[str, Fraction]) -> str:
    """What a rank sends as one."""
    return "a chunk each" if v["x_v"] and not v["z_3"] else "a block each"


def _host(desk: Desk) -> Line:
    """What the host itself reads and writes for its optimizer, beside what it is sent."""
    v = desk.base
    if not v["x_off"]:
        return ()
    state = v["x_off"] * v["P_own"] * v["B_opt"]
    rate, takes = shown(v["W_hm"], BYTE / SECOND), shown(state / v["W_hm"], SECOND)
    said = (f"For each device the host then reads and writes {shown(state, BYTE)} of optimizer state, at "
            f"{rate} in {takes}, and nothing hides it: ")  # fmt: skip
    return (*words(said), working_of("T_off"), Text("."))
