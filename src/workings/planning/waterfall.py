"""Where the time of a step goes, on the slowest stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.shares import letters_of, worth


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a step: its name, the formula of the plan's letters that gives it, its seconds.

    `letter` is the one that a reader looks up first: where it is nothing, so is the part.
    """

    name: str
    letter: str
    formula: str
    seconds: Fraction

    @property
    def letters(self) -> tuple[str, ...]:
        """Every letter of the formula, the part's own first."""
        return tuple(dict.fromkeys((self.letter, *letters_of(self.formula))))


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


# What a block takes for a micro-batch, by part, and the letter that a reader looks up first.
_OF_A_BLOCK = (
    ("matrix products", "T_lin", "2*(T_lin + T_exp) + T_grad"),
    ("attention's core", "T_core", "3*T_core + z_a*f_qk/(eta_a*C)"),
    ("norms, activations", "e_blk", "(3*(e_blk + e_core) + 2*e_exp)/(eta_m*W_m)"),
    ("computed again", "T_bwd", "T_again"),
)
_TRAFFIC_OF_A_BLOCK = (
    ("tensor parallelism", "T_t", "T_t"),
    ("context parallelism", "V_c", "V_c/W_c"),
    ("expert parallelism", "T_e", "T_e"),
    ("activations to the host", "T_away", "T_away"),
)
_OF_A_STEP = (
    ("bubble", "T_idle", "T_idle"),
    ("pipeline sends", "T_send", "T_send"),
    ("data parallelism", "T_sync", "T_sync"),
    ("optimizer", "T_opt", "T_opt"),
)


def _spans(v: Mapping[str, Fraction]) -> Iterator[Span]:
    stage, _, head = slowest_stage(v)
    blocks = f"m*L_{stage}"
    for name, letter, formula in _OF_A_BLOCK:
        yield _span(v, name, letter, f"{blocks}*({formula})")
    yield _span(v, "logits and loss", "T_head", "m*T_head" if head else "0*T_head")
    for name, letter, formula in _TRAFFIC_OF_A_BLOCK:
        yield _span(v, name, letter, f"{blocks}*{formula}")
    for name, letter, formula in _OF_A_STEP:
        yield _span(v, name, letter, formula)


def _span(v: Mapping[str, Fraction], name: str, letter: str, formula: str) -> Span:
    return Span(name, letter, formula, worth(formula, v))
