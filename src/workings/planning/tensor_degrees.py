"""The usual degrees of tensor parallelism that a search leaves out, and the size that forbids them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from workings.planning.job import Figure
from workings.planning.space import CONSTRAINTS

USUAL = (2, 4, 8)  # and a whole node, where it is smaller
_SIZES = ("K", "H", "F")
_BESIDE = {"t", "z_h"}
_RULES = {
    size: constraint
    for size in _SIZES
    for constraint in CONSTRAINTS
    if {"t", size} <= set(constraint.letters) <= {size, *_BESIDE}
}


class Forbidden(NamedTuple):
    """A size of the model, and the usual degrees that do not go with it."""

    size: Figure
    degrees: tuple[int, ...]

    @property
    def words(self) -> str:
        """What the size is not."""
        which = "neither a multiple nor a divisor" if self.size.letter == "K" else "no multiple"
        return f"{which} of {_listed(self.degrees, 'or')}"


def left_out(figures: Mapping[str, Figure]) -> str:
    """A clause that names key and value of each size that forbids a usual degree; nothing without one.

    Such as `a search leaves out tensor parallelism of 2 and 4: kv_heads = 13 (job.toml) is neither a
    multiple nor a divisor of 2 or 4`.
    """
    found = forbidden(figures)
    if not found:
        return ""
    degrees = sorted(degree for one in found for degree in one.degrees)
    return (f"a search leaves out tensor parallelism of {_listed(degrees, 'and')}: "
            f"{', and '.join(f'{_named(one.size)} is {one.words}' for one in found)}")  # fmt: skip


def _named(size: Figure) -> str:
    file = f" ({size.place.file})" if size.place.file else ""
    return f"{size.place.key or size.concept.name} = {int(size.value):,}{file}"


def forbidden(figures: Mapping[str, Figure]) -> tuple[Forbidden, ...]:
    """The usual degrees by the size that forbids them, each under the first that does."""
    values = {name: int(figures[name].value) for name in (*_SIZES, "z_h")}
    sizes = [name for name in _SIZES if name != "K" or values["K"] != values["H"]]
    found: dict[str, list[int]] = {name: [] for name in sizes}
    for degree in _usual(figures):
        at = {**values, "t": degree}
        broken = (n for n in sizes if not _RULES[n].holds(*(at[x] for x in _RULES[n].letters)))
        for name in islice(broken, 1):
            found[name].append(degree)
    return tuple(Forbidden(figures[n], tuple(degrees)) for n, degrees in found.items() if degrees)


def _usual(figures: Mapping[str, Figure]) -> Iterator[int]:
    """The usual degrees that devices and node allow."""
    devices, node = (int(figures[name].value) for name in ("n", "n_node"))
    whole = () if node in USUAL or not 1 < node < max(USUAL) else (node,)
    return (t for t in sorted((*USUAL, *whole)) if t <= node and devices % t == 0)


def _listed(degrees: Sequence[int], last: str) -> str:
    *first, end = map(str, degrees)
    return f"{', '.join(first)} {last} {end}" if first else end
