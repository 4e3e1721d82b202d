"""Layers of the fullest pipeline stage."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import LLAMA3_MESH
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS


def deal_layers_to_stages(L: int, p: int) -> int:
    """Layers dealt to the stages in turn; the most that one gets."""
    stages = [0] * p
    for layer in range(L):
        stages[layer % p] += 1
    return max(stages)


FULLEST_STAGE = derivation(
    "fullest-stage",
    title="Layers of the fullest pipeline stage",
    unit=ONE,
    noun="layers",
    letters={"L": BLOCKS, "p": STAGES},
    source=LLAMA3_MESH,
    oracle=deal_layers_to_stages,
    convention="Layers are spread as evenly as they go.",
    leaves_out="Embedding and head, for which the ends of a pipeline may get a layer less.",
    chain="""
    L_p = ceil(sum(1, (i, 1, L))/p)     -- all layers over the stages, and a started one is a whole one
      = ceil(L/p)                       -- one each
    """,
)
