"""A layout in the words of those who launch it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.review.numbers import percent

Values = Mapping[str, Fraction]
AXES = (("TP", "t"), ("CP", "c"), ("PP", "p"), ("EP", "e"), ("ETP", "t_e"), ("DP", "d"))


def mesh(v: Values) -> str:
    """`TP 8 · PP 16 · DP 128`, the axes of more than one rank; experts' only where there are any."""
    axes = [(name, v[n]) for name, n in AXES if v["E"] or n not in ("e", "t_e")]
    return " · ".join(f"{name} {int(size):,}" for name, size in axes if size > 1) or "one device"


def zero_stage(v: Values) -> str:
    """0 to 3."""
    return str(int(v["z_1"] + v["z_2"] + v["z_3"]))


def again(v: Values) -> str:
    """What the backward computes again."""
    return "blocks" if v["z_f"] else "scores" if v["z_c"] else "nothing"


def settings(v: Values) -> dict[str, str]:
    """Every choice of a layout, by its name; experts' only where the model has them."""
    found = {
        "tensor parallelism": f"{int(v['t'])}",
        "context parallelism": f"{int(v['c'])}",
        "pipeline stages": f"{int(v['p'])}",
        "data parallelism": f"{int(v['d']):,}",
        "chunks of a rank": f"{int(v['v'])}",
        "sequences of a micro-batch": f"{int(v['b_m'])}",
        "micro-batches of a replica": f"{int(v['m']):,}",
        "ZeRO stage": zero_stage(v),
        "sequence parallelism": "yes" if v["z_s"] else "no",
        "computed again": again(v),
    }
    if v["x_off"]:
        found["optimizer state with the host"] = percent(v["x_off"])
    if v["E"]:
        found["expert parallelism"] = f"{int(v['e'])}"
        found["tensor parallelism of the experts"] = f"{int(v['t_e'])}"
    return found
