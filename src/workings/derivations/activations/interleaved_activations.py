"""What the first rank keeps under interleaved 1F1B."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import INTERLEAVED
from workings.derivations.activations.in_flight_interleaved import IN_FLIGHT_INTERLEAVED
from workings.derivations.pipeline.layers_per_chunk import LAYERS_PER_CHUNK, deal_out_chunks
from workings.simulate.peak import Memory, interleaved_order, peaks
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import MICROBATCHES


def run_interleaved(A: Fraction, L: int, p: int, v: int, m: int) -> Fraction | None:
    """The schedule run chunk by chunk, a forward keeping the fullest chunk's blocks; the first's peak."""
    if m * p * v > 1_000:
        return None
    chunk = sum((A for _ in range(deal_out_chunks(p, v, L))), Fraction(0))
    orders = [interleaved_order(p, rank, m, v) for rank in range(p)]
    return peaks(orders, [Memory(forward=chunk)] * p, v)[0]


INTERLEAVED_ACTIVATIONS = derivation(
    "interleaved-activations",
    title="Activations of the first rank under interleaved 1F1B",
    unit=BYTE,
    letters={
        "A": KEPT_BY_BLOCK, "L": BLOCKS, "p": STAGES, "v": VIRTUAL_STAGES, "m": MICROBATCHES,
    },
    uses={"n_i": IN_FLIGHT_INTERLEAVED.at(), "L_c": LAYERS_PER_CHUNK.at()},
    given=("v > 1", "p divides m", "L >= p*v"),
    source=INTERLEAVED,
    oracle=run_interleaved,
    convention="Chunks as full as the fullest: `L*(1 + (p - 1)/(p*v))*A` where `p*v` divides `L` and "
    "there are more than `p` micro-batches.",
    leaves_out="Embedding and head.",
    chain="""
    A_i = v*n_i*L_c*A                              -- chunks in flight, each with its blocks
      = v*min(m, p + (p - 1)/v)*L_c*A              -- a chunk is a `v`-th of a micro-batch
      = min(v*m, v*p + p - 1)*ceil(L/(p*v))*A      -- more than the layers of the whole model
    """,
)  # fmt: skip
