"""What one micro-batch sends over one boundary between stages."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sends import BOUNDARY, bytes_sent
from workings.derivations.pipeline._sources import MEGATRON_SENDS
from workings.simulate.pipeline import one_f_one_b
from workings.units import BYTE


def send_one_micro_batch(a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """One micro-batch run through two ranks and back; the tensors that cross added up."""
    return bytes_sent(one_f_one_b(2, 1), a, s, b_m, D)


PP_BOUNDARY_BYTES = derivation(
    "pp-boundary-bytes",
    title="Bytes of a micro-batch over one boundary, both directions",
    unit=BYTE,
    letters=BOUNDARY,
    source=MEGATRON_SENDS,
    oracle=send_one_micro_batch,
    convention="Gradients of activations take as many bytes as activations.",
    chain="""
    V_b = a*s*b_m*D + a*s*b_m*D      -- activations of the micro-batch forward, gradients backward
      = 2*a*s*b_m*D                  -- add
    """,
)
