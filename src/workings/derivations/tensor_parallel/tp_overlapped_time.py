"""A product cut into chunks, its transfer hop by hop beside it."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._chunks import CHUNKS
from workings.derivations.tensor_parallel._sources import NEMO_OVERLAP
from workings.simulate.overlap import gather_beside_work, work_beside_reduce
from workings.units import SECOND


def run_chunk_by_chunk(t: int, T_chk: Fraction, T_hop: Fraction) -> Fraction:
    """Compute and link run beside each other, chunk by chunk; when both are done."""
    gathered = gather_beside_work(t, T_chk, T_hop).finish
    if work_beside_reduce(t, T_chk, T_hop).finish != gathered:
        raise AssertionError("Gathering and reducing take different times.")
    return gathered


TP_OVERLAPPED_TIME = derivation(
    "tp-overlapped-time",
    title="Time of a product and its transfer, chunk by chunk",
    unit=SECOND,
    letters=CHUNKS,
    source=NEMO_OVERLAP,
    oracle=run_chunk_by_chunk,
    convention="An all-gather before the product or a reduce-scatter after it, cut into `t` chunks: "
    "while one chunk is multiplied the next is on its way. Both take the same time.",
    leaves_out="What smaller products and copies running beside them cost.",
    chain="""
    T_ov = T_chk + sum(max(T_chk, T_hop), (i, 1, t - 1))
                                       -- one chunk alone; `t - 1` products beside a hop each
      = T_chk + (t - 1)*max(T_chk, T_hop)      -- equal chunks
      = t*T_chk + (t - 1)*max(0, T_hop - T_chk)
                                       -- the whole product, and what each hop takes beyond a chunk's
    """,
)
