"""How many layers a chunk has."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.units import ONE
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS


def deal_out_equal_chunks(p: int, v: int, L: int) -> Fraction | None:
    """Layers dealt out to all chunks of all ranks in turn; one chunk's layers counted."""
    chunks = [[layer for layer in range(L) if layer % (p * v) == chunk] for chunk in range(p * v)]
    if len({len(chunk) for chunk in chunks}) > 1:
        return None  # the chunks would not be equal
    return Fraction(len(chunks[0]))


LAYERS_PER_CHUNK = derivation(
    "layers-per-chunk",
    title="Layers of a chunk",
    unit=ONE,
    noun="layers",
    letters={"p": STAGES, "v": VIRTUAL_STAGES, "L": BLOCKS},
    given=("p divides L", "v divides L", "L >= p*v"),
    source=MEGATRON_INTERLEAVED,
    oracle=deal_out_equal_chunks,
    convention="Equal chunks: `p*v` must divide `L`, so there are at most `L` of them.",
    chain="""
    L_c = (L/p)/v           -- a rank's layers, in `v` chunks
      = L/(p*v)             -- collect
    """,
)
