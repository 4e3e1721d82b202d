"""How many layers a chunk has."""

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.units import ONE
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS


def deal_out_chunks(p: int, v: int, L: int) -> int:
    """Layers dealt out to all chunks of all ranks in turn; the most that one gets."""
    chunks = [0] * (p * v)
    for layer in range(L):
        chunks[layer % (p * v)] += 1
    return max(chunks)


LAYERS_PER_CHUNK = derivation(
    "layers-per-chunk",
    title="Layers of the fullest chunk",
    unit=ONE,
    noun="layers",
    letters={"p": STAGES, "v": VIRTUAL_STAGES, "L": BLOCKS},
    given=("L >= p*v",),
    source=MEGATRON_INTERLEAVED,
    oracle=deal_out_chunks,
    convention="Layers are spread as evenly as they go; no chunk is empty. Where `p*v` divides `L` "
    "all chunks have as many.",
    leaves_out="Embedding and head, for which the ends of a pipeline may get a layer less.",
    chain="""
    L_c = ceil(sum(1, (i, 1, L))/(p*v))     -- all layers over the chunks, a started one is whole
      = ceil(L/(p*v))                       -- one each
    """,
)
