"""All that a pipeline sends in a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sends import BOUNDARY, bytes_sent
from workings.derivations.pipeline._sources import MEGATRON_SENDS
from workings.derivations.pipeline._times import FILLED
from workings.derivations.pipeline.pp_boundary_bytes import PP_BOUNDARY_BYTES
from workings.simulate.pipeline import gpipe
from workings.units import BYTE


def send_every_micro_batch(p: int, m: int, a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """GPipe run task by task; every tensor that goes from one rank to another added up."""
    return bytes_sent(gpipe(p, m), a, s, b_m, D)


PP_VOLUME = derivation(
    "pp-volume",
    title="Bytes a pipeline sends in a step: both directions, all boundaries",
    unit=BYTE,
    letters={**FILLED, **BOUNDARY},
    uses={"V_b": PP_BOUNDARY_BYTES.at()},
    source=MEGATRON_SENDS,
    oracle=send_every_micro_batch,
    convention="One pipeline, one chunk on each rank; the tensor is sent once, not by every tensor rank.",
    chain="""
    V_pp = sum(sum(V_b, (i, 1, m)), (j, 1, p - 1))
                                     -- `p` ranks have `p - 1` boundaries; each micro-batch crosses all
      = (p - 1)*m*V_b                -- equal terms
      = 2*(p - 1)*m*a*s*b_m*D        -- put the boundary in
    """,
)
