"""Scatter and gather: every tensor rank sends its part only."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sends import BOUNDARY
from workings.derivations.pipeline._sources import MEGATRON_SCATTER
from workings.derivations.pipeline.pp_boundary_bytes import PP_BOUNDARY_BYTES
from workings.units import BYTE
from workings.vocabulary.layout import TP


def deal_out_tokens(t: int, a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """Tokens dealt out to the tensor ranks; what the first one sends forward and back."""
    mine = [token for token in range(s) if token % t == 0]
    forward = sum((a * D for _ in range(b_m) for _ in mine), Fraction(0))
    backward = sum((a * D for _ in mine for _ in range(b_m)), Fraction(0))
    return forward + backward


PP_BOUNDARY_BYTES_SCATTERED = derivation(
    "pp-boundary-bytes-scattered",
    title="Bytes of a micro-batch over one boundary for each of `t` tensor ranks",
    unit=BYTE,
    letters={"t": TP, **BOUNDARY},
    uses={"V_b": PP_BOUNDARY_BYTES.at()},
    given=("t divides s",),
    source=MEGATRON_SCATTER,
    oracle=deal_out_tokens,
    convention="With scatter and gather, or under sequence parallelism, where a rank has its part only.",
    leaves_out="The all-gather of the parts inside the receiving node.",
    chain="""
    V_sg = a*(s/t)*b_m*D + a*(s/t)*b_m*D      -- each tensor rank sends its tokens, forward and back
      = 2*a*s*b_m*D/t                         -- add
      = V_b/t                                 -- without it, each of the `t` sends the whole tensor
    """,
)
