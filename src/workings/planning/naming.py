"""A layout in the words of those who launch it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.planning.recomputed import again, stated
from workings.planning.schedules import in_words

__all__ = ["AXES", "again", "mesh", "named", "named_at", "zero_stage"]

Values = Mapping[str, Fraction]
AXES = (("TP", "t"), ("CP", "c"), ("PP", "p"), ("EP", "e"), ("ETP", "t_e"), ("DP", "d"))


def mesh(v: Values) -> str:
    """`TP 8 · PP 16 · DP 128`, the axes of more than one rank; experts' only where there are any.

    Experts that are not split with the rest are said so: a launch that says nothing splits them.
    """
    axes = [(name, v[n]) for name, n in AXES if v["E"] or n not in ("e", "t_e")]
    apart = {"ETP"} if v["t"] > 1 else set()
    return " · ".join(f"{name} {int(n):,}" for name, n in axes if n > 1 or name in apart) or "one device"


def zero_stage(v: Values) -> str:
    """0 to 3."""
    return str(int(v["z_1"] + v["z_2"] + v["z_3"]))


def named(v: Values) -> str:
    """`TP 4 · PP 8 · DP 2 with 4 chunks a rank and blocks computed again`, what is usual unsaid."""
    more = [f"{int(v['v'])} chunks a rank"] if v["v"] > 1 else []
    more += [words] if (words := in_words(v)) else []
    more += [f"micro-batches of {int(v['b_m'])}"] if v["b_m"] > 1 else []
    more += [f"ZeRO stage {zero_stage(v)}"] if v["z_1"] else []
    more += ["no sequence parallelism"] if v["t"] > 1 and not v["z_s"] else []
    more += [f"{again(v)} computed again"] if v["z_f"] or v["z_c"] or stated(v) else []
    away = v.get("x_host")
    more += [f"{float(away) * 100:.3g} % of activations with the host"] if away else []
    listed = ", ".join(more[:-1]) + (" and " if len(more) > 1 else "") + (more[-1] if more else "")
    return f"{mesh(v)}{f' with {listed}' if listed else ''}"


def named_at(values: Values, layout: Mapping[str, int]) -> str:
    """The same of a job's values with the letters of a layout in their place."""
    v = {**values, **{name: Fraction(value) for name, value in layout.items()}}
    return named({**v, "d": v["n"] / (v["t"] * v["c"] * v["p"])})
