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


_NO_HEAD = "0*T_head"


def slowest_stage(values: Mapping[str, Fraction]) -> tuple[str, str, str]:
    """The stage that takes longest, the formulas of its blocks and of its part of the head.

    Where a rank holds two stages, those at both ends count half each.
    """
    v = values
    if v["x_bi"]:
        ends = ("first", "(L_first + L_last)/2", "m*T_head/2")
        times = {ends: worth("((L_first + L_last)*T_blk + T_head)/2", v)}
    else:
        times = {
            ("first", "L_first", _NO_HEAD if v["x_p"] else "m*T_head"): worth(
                "L_first*T_blk + (1 - x_p)*T_head", v
            ),
            ("last", "L_last", "m*T_head"): worth("L_last*T_blk + T_head", v),
        }
    times["mid", "L_mid", _NO_HEAD] = worth("L_mid*T_blk", v)
    return max(times, key=lambda stage: times[stage])


def waterfall(values: Mapping[str, Fraction]) -> tuple[Span, ...]:
    """The parts of a step, which add up to it; those of no time are left out."""
    return tuple(span for span in _spans(values) if span.seconds)


# What a block takes for a micro-batch, by part, and the letter that a reader looks up first.
_OF_A_BLOCK = (
    ("matrix products", "T_lin", "2*(T_lin + T_exp) + T_grad"),
    ("attention's core", "T_core", "3*T_core + z_a*f_qk/(eta_a*C)"),
    ("norms, activations", "e_blk", "(3*(e_blk + e_core) + 2*e_exp)/(eta_m*W_m)"),
    ("computed again", "T_bwd", "T_again"),
    ("gaps between kernels", "T_rest", "T_rest"),
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
    _, held, head = slowest_stage(v)
    blocks = f"m*{held}"
    for name, letter, formula in _OF_A_BLOCK:
        yield _span(v, name, letter, f"{blocks}*({formula})")
    yield _span(v, "logits and loss", "T_head", head)
    for name, letter, formula in _TRAFFIC_OF_A_BLOCK:
        yield _span(v, name, letter, f"{blocks}*{formula}")
    for name, letter, formula in _OF_A_STEP:
        yield _span(v, name, letter, formula)


def _span(v: Mapping[str, Fraction], name: str, letter: str, formula: str) -> Span:
    return Span(name, letter, formula, worth(formula, v))
