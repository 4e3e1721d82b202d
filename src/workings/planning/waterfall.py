"""Where the time of a step goes, on the slowest stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a step: its name, the letters it comes from, its seconds."""

    name: str
    letters: tuple[str, ...]
    seconds: Fraction


def slowest_stage(values: Mapping[str, Fraction]) -> tuple[str, Fraction, bool]:
    """The stage that takes longest, its blocks, and whether it computes the head."""
    v = values
    whole = v["x_p"] == 0
    times = {
        "first": v["L_first"] * v["T_blk"] + (v["T_head"] if whole else 0),
        "mid": v["L_mid"] * v["T_blk"],
        "last": v["L_last"] * v["T_blk"] + v["T_head"],
    }
    stage = max(times, key=lambda name: times[name])
    return stage, v[f"L_{stage}"], stage == "last" or (whole and stage == "first")


def waterfall(values: Mapping[str, Fraction]) -> tuple[Span, ...]:
    """The parts of a step, which add up to it; those of no time are left out."""
    return tuple(span for span in _spans(values) if span.seconds)


def _spans(v: Mapping[str, Fraction]) -> Iterator[Span]:
    _, blocks, head = slowest_stage(v)
    count = v["m"] * blocks
    products = 2 * (v["T_lin"] + v["T_exp"]) + v["T_grad"]
    core = 3 * v["T_core"] + v["z_a"] * v["f_qk"] / (v["eta_a"] * v["C"])
    moved = (3 * (v["e_blk"] + v["e_core"]) + 2 * v["e_exp"]) / (v["eta_m"] * v["W_m"])
    again = v["T_fwd"] + v["T_bwd"] - products - core - moved
    yield Span("matrix products", ("T_lin", "T_exp", "T_grad"), count * products)
    yield Span("attention's core", ("T_core",), count * core)
    yield Span("norms, activations", ("e_blk", "e_exp", "e_core"), count * moved)
    yield Span("computed again", ("T_bwd",), count * again)
    yield Span("logits and loss", ("T_head",), v["m"] * v["T_head"] if head else Fraction(0))
    yield Span("tensor parallelism", ("T_t",), count * v["T_t"])
    yield Span("context parallelism", ("V_c", "W_c"), count * v["V_c"] / v["W_c"])
    yield Span("expert parallelism", ("T_e",), count * v["T_e"])
    yield Span("bubble", ("T_idle",), v["T_idle"])
    yield Span("pipeline sends", ("T_send",), v["T_send"])
    yield Span("data parallelism", ("T_sync",), v["T_sync"])
    yield Span("optimizer", ("T_opt",), v["T_opt"])
