"""A layout in the words of those who launch it, and every choice of it by its name."""

from __future__ import annotations

from workings.planning.naming import AXES, Values, again, mesh, named, named_at, zero_stage
from workings.review.numbers import percent

__all__ = ["again", "axes", "mesh", "named", "named_at", "settings", "zero_stage"]


def axes(v: Values) -> tuple[tuple[str, str], ...]:
    """The degrees of a mesh by name and letter, experts' only where the model has them."""
    return tuple((name, n) for name, n in AXES if v["E"] or n not in ("e", "t_e"))


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
    if v["x_host"]:
        found["activations with the host"] = percent(v["x_host"])
    if v["E"]:
        found["expert parallelism"] = f"{int(v['e'])}"
        found["tensor parallelism of the experts"] = f"{int(v['t_e'])}"
    return found
