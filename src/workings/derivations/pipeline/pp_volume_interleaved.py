"""All that a pipeline with several chunks on a rank sends in a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sends import BOUNDARY, bytes_sent
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.derivations.pipeline._times import FILLED, run_interleaved
from workings.derivations.pipeline.pp_boundary_bytes import PP_BOUNDARY_BYTES
from workings.units import BYTE
from workings.vocabulary.layout import VIRTUAL_STAGES


def send_round_and_round(
    p: int, m: int, v: int, a: Fraction, s: int, b_m: int, D: int
) -> Fraction | None:
    """Interleaved 1F1B run task by task; every tensor that goes between ranks added up."""
    schedule = run_interleaved(p, m, v)
    return None if schedule is None else bytes_sent(schedule, a, s, b_m, D)


PP_VOLUME_INTERLEAVED = derivation(
    "pp-volume-interleaved",
    title="Bytes a pipeline with `v` chunks on each rank sends in a step",
    unit=BYTE,
    letters={**FILLED, "v": VIRTUAL_STAGES, **BOUNDARY},
    uses={"V_b": PP_BOUNDARY_BYTES.at()},
    given=("p divides m", "p > 1"),
    source=MEGATRON_INTERLEAVED,
    oracle=send_round_and_round,
    convention="Chunks are dealt out in turn, so every boundary lies between two ranks.",
    chain="""
    V_int = sum(sum(V_b, (i, 1, m)), (j, 1, p*v - 1))
                                       -- `p*v` chunks have `p*v - 1` boundaries
      = (p*v - 1)*m*V_b                -- equal terms
      = 2*(p*v - 1)*m*a*s*b_m*D        -- put the boundary in
    """,
)
