"""The matrix products that a rank computes for a layer, in the forward of a micro-batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from workings.planning.exact import exactly
from workings.planning.stored import stored_plan


class Product(NamedTuple):
    """Rows × inner by inner × columns; `times` is how many a layer has in the mean."""

    of: str
    rows: Fraction
    columns: Fraction
    inner: Fraction
    times: Fraction = Fraction(1)

    @property
    def flops(self) -> Fraction:
        """FLOPs of all of them."""
        return 2 * self.times * self.rows * self.columns * self.inner


def layer_products(figures: Mapping[str, Fraction]) -> tuple[Product, ...]:
    """The products of a layer, the head's among them for its share, by the letters of a job.

    Keys and values of more ranks than heads are taken as split all the same, and experts as equally busy.
    """
    v = exactly(stored_plan(), figures, ["T_r", "x_E", "d_qk", "d_vo"])
    found = (*_attention(v), *_dense(v), *_experts(v))
    return tuple(p for p in found if p.flops)


def _attention(v: Mapping[str, Fraction]) -> Iterator[Product]:
    rows, width, tp = v["T_r"], v["D"], v["t"]
    if not v["z_h"]:
        return
    if v["r_kv"]:
        yield Product("down to the query's latent", rows, v["r_q"], width)
        yield Product("query", rows, v["H"] * v["d_qk"] / tp, v["r_q"] or width)
        yield Product("down to the latent of key and value", rows, v["r_kv"] + v["d_r"], width)
        yield Product("key and value", rows, v["H"] * (v["d_n"] + v["d_v"]) / tp, v["r_kv"])
    else:
        yield Product("query, key, value", rows, (v["H"] + 2 * v["K"]) * v["d_h"] / tp, width)
    yield Product("attention's output", rows, width, v["H"] * v["d_vo"] / tp)


def _dense(v: Mapping[str, Fraction]) -> Iterator[Product]:
    rows, width, inner, without = v["T_r"], v["D"], v["F"] / v["t"], 1 - v["x_E"]
    yield Product("gate and up", rows, (v["n_f"] - 1) * inner, width, without)
    yield Product("down", rows, width, inner, without)
    yield Product("logits", rows, v["V"] / v["t"], width, 1 / v["L"])


def _experts(v: Mapping[str, Fraction]) -> Iterator[Product]:
    if not v["x_E"]:
        return
    width, shared, one = v["D"], v["E_s"] * v["F_E"] / v["t"], v["F_E"] / v["t_e"]
    rows = v["T_r"] * v["k_E"] * v["e"] * v["t_e"] / (v["t"] * v["E"])
    many = v["x_E"] * v["E"] / v["e"]
    yield Product("an expert's gate and up", rows, (v["n_f"] - 1) * one, width, many)
    yield Product("an expert's down", rows, width, one, many)
    yield Product("shared experts' gate and up", v["T_r"], (v["n_f"] - 1) * shared, width, v["x_E"])
    yield Product("shared experts' down", v["T_r"], width, shared, v["x_E"])
