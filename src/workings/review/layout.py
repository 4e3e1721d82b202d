"""Model, cluster and layout: what is trained on what, and which ranks share a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.document.blocks import Block, Inline, Prose, Reference, Text
from workings.planning.flows import boundaries
from workings.planning.letters import HARDWARE, LAYOUT, MODEL, TRAINING
from workings.review.desk import Cell, Desk, letter, working_of
from workings.review.front_page import heading
from workings.review.numbers import number
from workings.vocabulary.concept import Concept

_FOLLOWS = ("d", "m", "d_e", "N", "L_first", "L_mid", "L_last", "T_r")
_FAST, _SLOW = (("tensor", "t"), ("context", "c")), (("data", "d"), ("pipeline", "p"))


def layout(desk: Desk) -> Iterator[Block]:
    """The tables of inputs, what follows from the layout, and its mesh."""
    yield heading("Model, cluster and layout")
    yield Prose((
        Text("Everything is worked out from the figures below and those in the assumption register, "),
        Reference("register"), Text("."),
    ))  # fmt: skip
    yield _inputs(desk, "model", "Model", MODEL)
    yield from _told(desk)
    yield _inputs(desk, "cluster", "Cluster, for one device", HARDWARE)
    yield _inputs(desk, "layout", "Layout and training", {**LAYOUT, **TRAINING})
    rows: list[tuple[Cell, ...]] = []
    for name in _FOLLOWS:
        statement = desk.plan.named(name)
        if desk.base[name]:
            cells = letter(name), statement.meaning, number(desk.base[name], statement.unit)
            rows.append((*cells, working_of(name)))
    yield desk.table("follows", "What follows from the layout", "llrr",
                     ("letter", "meaning", "value", "worked"), rows)  # fmt: skip
    yield from _mesh(desk)


def _inputs(desk: Desk, label: str, caption: str, letters: Mapping[str, Concept]) -> Block:
    rows: list[tuple[Cell, ...]] = []
    for name, concept in letters.items():
        figure = desk.job.figures[name]
        if name not in _switched(desk) and (figure.value or concept.domain.name == "FLAG"):
            value: Cell = number(figure.value, concept.dimension)
            if name == "n_pod" and figure.kind == "follows" and figure.value > desk.base["n"]:
                value = "no third tier"
            rows.append((letter(name), concept.meaning, value, figure.kind))
    return desk.table(label, caption, "lwrl", ("letter", "meaning", "value", "from"), rows)


def _switched(desk: Desk) -> list[str]:
    """The switches of the model that nobody set: a sentence tells them."""
    return [
        n for n, c in MODEL.items() if c.domain.name == "FLAG" and desk.job.figures[n].kind == "follows"
    ]


def _told(desk: Desk) -> Iterator[Block]:
    """What the model has and what it has not, as far as nobody had to say so."""
    for value, verb in ((1, "hold"), (0, "do not hold")):
        found = [name for name in _switched(desk) if desk.job.figures[name].value == value]
        said: list[Inline] = []
        for name in found:
            what = MODEL[name].meaning.removeprefix("1 where ")
            opening = "; " if said else f"Of this model these {verb}, and their letters are {value}: "
            said += [Text(f"{opening}{what} ("), letter(name), Text(")")]
        if said:
            yield Prose((*said, Text(".")))


def axes(v: Mapping[str, Fraction]) -> tuple[tuple[str, str], ...]:
    """The axes and the letters of their sizes; the first varies fastest along the ranks."""
    return (*_FAST, *(_SLOW if v["o_d"] else reversed(_SLOW)))


def _mesh(desk: Desk) -> Iterator[Block]:
    """Strides of the axes and the groups they make."""
    v, stride = desk.base, Fraction(1)
    rows: list[tuple[Cell, ...]] = []
    for name, size in axes(v):
        if v[size] > 1:
            rows.append((name, f"{int(v[size]):,}", f"{int(stride):,}", _group(stride, v[size]),
                         _where(v, size, stride)))  # fmt: skip
        stride *= v[size]
    if rows:
        yield desk.table("mesh", "The mesh: groups of ranks", "lrrwl",
                         ("axis", "size", "stride", "first group", "lies"), rows)  # fmt: skip
    first = int(min(v["n_node"], v["n"])) - 1
    ranks = f"A node holds {int(v['n_node'])} ranks in order, the first one ranks 0 to {first}. "
    yield Prose((Text(f"{ranks}{_node(v)}".strip()),))


def _group(stride: Fraction, size: Fraction) -> str:
    count = int(size)
    places = range(count) if count <= 8 else (0, 1, 2, None, count - 1)
    return "ranks " + ", ".join("…" if i is None else str(int(stride) * i) for i in places)


def _where(v: Mapping[str, Fraction], axis: str, stride: Fraction) -> str:
    """Where the axis's traffic goes, as the cost model takes it, and over how many nodes."""
    if not v[f"q_{axis}"]:
        return "inside a node"
    nodes = _nodes(int(stride), int(v[axis]), int(v["n_node"]), int(v["n"]))
    said = f"over {nodes:,} nodes" if nodes > 1 else "taken to leave a node"
    if axis == "p":
        return said + _boundaries(v)
    return f"{said}, beyond a pod" if v[f"y_{axis}"] else said


def _boundaries(v: Mapping[str, Fraction]) -> str:
    """How many boundaries between chunks leave a node or a pod, where not all do."""
    nodes, pods, every = boundaries(v)
    of = f"of {every} boundaries" + (" between chunks" if v["v"] > 1 else "")
    if nodes < every:
        return f"; {nodes} {of} leave a node" + (f", {pods} a pod" if pods else "")
    return f"; {pods} {of} leave a pod" if pods else ""


def _nodes(stride: int, size: int, node: int, devices: int) -> int:
    """The most nodes that a group of these ranks lies on: not all groups lie on as many."""
    if stride >= node:
        return size
    block = stride * size
    groups = max(1, min(devices // block, node))  # from there on groups lie as earlier ones do
    starts = (g * block + first for g in range(groups) for first in range(stride))
    return max((start + block - stride) // node - start // node + 1 for start in starts)


def _node(v: Mapping[str, Fraction]) -> str:
    """The coordinates of the ranks of the first node, in words."""
    node = int(min(v["n_node"], v["n"]))
    kept = []
    stride = 1
    for name, size in axes(v):
        spans = min(int(v[size]), max(1, node // stride))
        if v[size] > 1:
            kept.append(f"{spans} of {int(v[size])} {name} ranks")
        stride *= int(v[size])
    return f"The {node} devices of a node hold {', '.join(kept)}." if kept else ""
