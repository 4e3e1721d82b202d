"""Most pipeline stages."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import MEGATRON_INTERLEAVED
from workings.units import ONE
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS


def deal_the_layers(L: int, p: int, v: int) -> bool:
    """Layers dealt to the chunks of all ranks in turn; whether every chunk gets one."""
    chunks = [0] * (p * v)
    for layer in range(L):
        chunks[layer % len(chunks)] += 1
    return all(chunks)


PIPELINE_DEPTH_LIMIT = derivation(
    "pipeline-depth-limit",
    title="Most pipeline stages for a model's layers",
    unit=ONE,
    noun="stages",
    letters={"p": STAGES, "L": BLOCKS, "v": VIRTUAL_STAGES},
    source=MEGATRON_INTERLEAVED,
    oracle=deal_the_layers,
    leaves_out="Chunks with only the embedding or only the head, as at the ends of Llama 3's pipeline.",
    chain="""
    L/(p*v) >= 1          -- each of `v` chunks on each of `p` ranks has at least a layer
      <=> p <= L/v        -- multiply by `p`
    """,
)
