"""[assume] `node`: what `workings measure` found on a node, in place of assumed efficiencies.

A product of the job takes the rate of the measured product that is nearest in size, by the sum of the
logarithms of what each of its sizes is off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import log
from typing import Any, NamedTuple, TypeAlias

from workings.planning.inputs.files import beside, toml_of
from workings.planning.inputs.given import Entry, Reader, refused, shown, tidy, wrong
from workings.planning.inputs.layer_products import Product, layer_products
from workings.planning.job import Figure, JobError, Place

Row: TypeAlias = Mapping[str, Any]
_FP32 = 4  # bytes of an activation
_SAME = Fraction(1, 20)  # by which two peaks of one device may differ
_SIZES = ("rows", "columns", "inner")


class Rate(NamedTuple):
    """What is done a second, FLOPs or bytes: at best, in the median, at worst; and how it was found."""

    best: Fraction
    middle: Fraction
    worst: Fraction
    how: str


class Node(NamedTuple):
    """The file of a node: its name, the device and the rows of each family."""

    file: str
    device: str
    rows: Mapping[str, Sequence[Row]]

    def wrong(self, family: str, found: object, expected: str) -> JobError:
        """The error of a family of rows."""
        return wrong(self.file, f"measured.{family}", found, expected)


def node_figures(
    reader: Reader, raw: object, figures: Mapping[str, Figure], assumed: Mapping[str, Figure]
) -> dict[str, Figure]:
    """The efficiencies that a node's file settles, of those that are still assumed. Raises JobError."""
    if not isinstance(raw, Mapping) or "node" not in raw:
        return {}
    entry = Entry(raw["node"], "given", "", reader.file, "assume.node")
    node = _node(reader, entry)
    reader.note("read", entry.key, f"{shown(entry.value)}: {node.device}")
    v = {letter: figure.value for letter, figure in figures.items()}
    found = {}
    for letter, family, peak, rate in (
        ("eta", "matmul", "C", _matmul), ("eta_a", "attention", "C", _attention),
        ("eta_m", "memory", "W_m", _memory),
    ):  # fmt: skip
        if node.rows[family] and assumed[letter].kind == "assumed":
            reached = rate(node, v)
            found[letter] = _figure(node, entry, assumed[letter], reached, v[peak])
            place = Place(node.file, f"measured.{family}")
            found[letter] = replace(found[letter], place=place)
            reader.note("read", place.key, _replaced(found[letter], assumed[letter], reached), place.file)
    return found


def _node(reader: Reader, entry: Entry) -> Node:
    """The file that a job names. Raises JobError."""
    path = beside(reader, entry)
    raw = toml_of(reader, path).get("measured")
    name = tidy(path.name)
    if not isinstance(raw, Mapping) or not isinstance(raw.get("device"), str):
        raise wrong(
            name, "measured.device", None, "a device: such a file is what `workings measure` writes"
        )
    rows = {}
    for family in ("matmul", "attention", "memory"):
        found = raw.get(family, [])
        if not isinstance(found, list) or not all(isinstance(row, Mapping) for row in found):
            raise wrong(name, f"measured.{family}", found, "rows as `workings measure` writes them")
        rows[family] = found
    return Node(name, tidy(raw["device"]), rows)


def _matmul(node: Node, v: Mapping[str, Fraction]) -> Rate:
    """The rate of all products of a layer: forward once, backward twice the FLOPs. Raises JobError."""
    usable = _usable(node, "matmul", "flops_per_second", v)
    passes = {how: [row for row in usable if row.get("pass") == how] for how in ("forward", "backward")}
    if not passes["forward"]:
        raise node.wrong("matmul", None, "a row with pass = 'forward'")
    products, held = layer_products(v), _held(node, usable)
    seconds = [Fraction(0)] * 3
    for product in products:
        for how, times in (("forward", 1), ("backward", 2)):
            row = min(passes[how] or passes["forward"], key=_distance(node, product))
            for place, rate in enumerate(_rates(node, "matmul", row, "flops_per_second")):
                seconds[place] += times * product.flops / rate
    best, middle, worst = (3 * sum(p.flops for p in products) / time for time in seconds)
    how = f"{len(products)} products of a layer, each by the nearest of {len(usable)}"
    how += "" if held == 1 else f", × {float(held):.3f}: what is held for seconds"
    return Rate(best, middle * held, worst * held, how)


def _held(node: Node, rows: Sequence[Row]) -> Fraction:
    """The sustained rate of a product over its rate in single runs, at most 1; 1 where none was held."""
    for long in (row for row in rows if row.get("pass") == "sustained"):
        for row in rows:
            if row.get("pass") == "forward" and all(row.get(size) == long.get(size) for size in _SIZES):
                held, once = (_rates(node, "matmul", r, "flops_per_second")[1] for r in (long, row))
                return min(Fraction(1), held / once)
    return Fraction(1)


def _distance(node: Node, product: Product) -> Callable[[Row], float]:
    """How far a measured product is from one of the job."""

    def far(row: Row) -> float:
        wanted = (product.rows, product.columns, product.inner)
        sizes = [_positive(node, "matmul", row, size) for size in _SIZES]
        return sum(abs(log(size / one)) for size, one in zip(sizes, wanted, strict=True))

    return far


def _attention(node: Node, v: Mapping[str, Fraction]) -> Rate:
    """The rate of forward and backward at the nearest width and length. Raises JobError."""
    usable = [row for row in _usable(node, "attention", "flops_per_second", v)
              if row.get("backward") and row.get("kernel") == "default"]  # fmt: skip
    if not usable:
        raise node.wrong("attention", None, "a row with backward = true and kernel = 'default'")
    keys, values = v["d_h"] + v["d_n"] + v["d_r"], v["d_h"] + v["d_v"]
    wanted = {"head_width": keys, "value_width": values, "length": v["s"]}

    def far(row: Row) -> float:
        sizes = {name: _positive(node, "attention", row, name) for name in wanted}
        return sum(abs(log(sizes[name] / wanted[name])) for name in wanted if wanted[name])

    row = min(usable, key=far)
    widths = " and ".join(shown(row[name]) for name in ("head_width", "value_width"))
    how = f"heads of {widths} over {shown(row['length'])} tokens, both passes"
    return Rate(*_rates(node, "attention", row, "flops_per_second"), how)


def _memory(node: Node, _: Mapping[str, Fraction]) -> Rate:
    """The rate of the largest operation. Raises JobError."""
    usable = [row for row in node.rows["memory"] if "error" not in row]
    if not usable:
        raise node.wrong("memory", None, "a row without an error")
    row = max(usable, key=lambda row: _positive(node, "memory", row, "bytes"))
    how = f"{tidy(str(row.get('operation')))} of {float(row['bytes']) / 1e9:.2f} GB"
    return Rate(*_rates(node, "memory", row, "bytes_per_second"), how)


def _usable(node: Node, family: str, unit: str, v: Mapping[str, Fraction]) -> list[Row]:
    """The rows of the job's precision, on a device with the job's peak. Raises JobError."""
    wanted = "fp32" if v["a"] == _FP32 else "bf16"
    found = [row for row in node.rows[family] if row.get("precision") == wanted and unit in row]
    if not found:
        raise node.wrong(family, None, f"a row in {wanted}, which the job computes in")
    for row in found:
        if "peak_share" in row:
            peak = _rates(node, family, row, unit)[1] / _positive(node, family, row, "peak_share")
            if abs(peak / v["C"] - 1) > _SAME:
                there = f"{node.device}, whose peak is {float(peak) / 1e12:.4g} TFLOP/s"
                expected = f"the job's device, with {float(v['C']) / 1e12:.4g} TFLOP/s"
                raise JobError(f"{node.file}: measured.device: found {there}, expected {expected}")
    return found


def _rates(node: Node, family: str, row: Row, unit: str) -> tuple[Fraction, Fraction, Fraction]:
    """The rate of a row at best, in the median and at worst. Raises JobError."""
    ends = row.get(f"{unit}_range")
    if not isinstance(ends, list) or len(ends) != 2:
        raise node.wrong(family, ends, f"two numbers as {unit}_range")
    worst, best = (_number(node, family, f"{unit}_range", end) for end in ends)
    return best, _positive(node, family, row, unit), worst


def _positive(node: Node, family: str, row: Row, key: str) -> Fraction:
    return _number(node, family, key, row.get(key))


def _number(node: Node, family: str, key: str, value: object) -> Fraction:
    if not isinstance(value, int | Fraction) or isinstance(value, bool) or value <= 0:
        raise wrong(node.file, f"measured.{family}.{key}", value, "a positive number")
    return Fraction(value)


def _figure(node: Node, entry: Entry, assumed: Figure, rate: Rate, peak: Fraction) -> Figure:
    """The share of its peak that was reached. Raises JobError where that is more than all of it."""
    best, middle, worst = (round(one / peak, 4) for one in rate[:3])
    if middle > 1:
        text = f"{assumed.concept.name} {float(middle)}, from {node.device}"
        raise refused(entry, f"the job's own device: it comes to {text}")
    source = f"measured: {node.file}, {rate.how}"
    low, high = min(Fraction(1), max(best, middle)), min(worst, middle)
    return Figure(assumed.letter, assumed.concept, middle, "measured", source, low, high)


def _replaced(found: Figure, assumed: Figure, rate: Rate) -> str:
    """What took the place of what, and how much narrower its range is."""
    (value, width), (was, before) = (_ranged(figure) for figure in (found, assumed))
    times = f", {float(width / before):.2g} times as wide" if before else ""
    return f"{found.concept.name} {value} in place of {was}{times}; {rate.how}"


def _ranged(figure: Figure) -> tuple[str, Fraction]:
    ends = sorted(end for end in (figure.low, figure.high, figure.value) if end is not None)
    return f"{float(figure.value):.3g} ({float(ends[0]):.3g} to {float(ends[-1]):.3g})", ends[-1] - ends[
        0
    ]
