"""Gradients outside the experts, reduced over data- and context-parallel ranks."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.experts._sources import MEGATRON_EXPERT_GROUPS
from workings.simulate.grid import groups
from workings.simulate.ring import all_reduce
from workings.units import BYTE
from workings.vocabulary.experts import DENSE_PARAMETERS
from workings.vocabulary.layout import CP, DP
from workings.vocabulary.training import REDUCE_WIDTH

MOST = 50  # ranks in a ring that is walked


def reduce_over_both_axes(c: int, d: int, P_d: int, g: Fraction) -> Fraction | None:
    """A ring over the ranks that differ in their sequences or in their part of one."""
    if c * d > MOST:
        return None
    same = groups(("cp", "dp"), {"tp": 2, "cp": c, "pp": 2, "dp": d})[0]
    return all_reduce(len(same), g * P_d).sent[0]


DENSE_GRADIENT_BYTES = derivation(
    "dense-gradient-bytes",
    title="Bytes a rank sends to reduce the gradients outside its experts",
    unit=BYTE,
    letters={"c": CP, "d": DP, "P_d": DENSE_PARAMETERS, "g": REDUCE_WIDTH},
    uses={"V": RING_ALL_REDUCE.at(N="c*d", S="g*P_d")},
    source=MEGATRON_EXPERT_GROUPS,
    oracle=reduce_over_both_axes,
    convention="Once a step, over all `c*d` ranks that saw other tokens: experts are reduced over fewer.",
    chain="""
    V_gd = V                                 -- a ring all-reduce of `g*P_d` bytes over `c*d` ranks
      = 2*(c*d - 1)/(c*d)*(g*P_d)            -- the ring
      <= 2*g*P_d                             -- `c*d - 1 < c*d`
    """,
)
