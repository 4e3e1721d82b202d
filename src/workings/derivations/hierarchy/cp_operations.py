"""How often context-parallel ranks speak."""

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import STAGE
from workings.derivations.hierarchy._sources import LLAMA3_CONTEXT
from workings.derivations.ranks.shares import FULLEST_STAGE, deal_layers_to_stages
from workings.simulate.rhythm import Stretch, operations
from workings.units import ONE
from workings.vocabulary.kinds import WITH_ATTENTION
from workings.vocabulary.training import MICROBATCHES


def walk_through_the_attentions(L: int, p: int, m: int) -> int:
    """Every micro-batch through every layer of the fullest stage, forward and back, noting each."""
    layers = deal_layers_to_stages(L, p)
    work = [Stretch(1, "cp") for _ in range(m) for _ in ("gather", "scatter") for _ in range(layers)]
    return len(operations(work)["cp"])


CP_OPERATIONS = derivation(
    "cp-operations",
    title="Context-parallel collectives of a rank in a step",
    unit=ONE,
    noun="collectives",
    letters={**STAGE, "m": MICROBATCHES},
    uses={"L_p": FULLEST_STAGE.at()},
    source=LLAMA3_CONTEXT,
    oracle=walk_through_the_attentions,
    convention="Keys and values are gathered forward and kept; their gradients are reduced and scattered "
    "backward. The fullest stage.",
    leaves_out="Gathering again backward, where keys and values of other ranks are not kept.",
    holds_for={WITH_ATTENTION: ""},
    chain="""
    O_cp = sum(sum(1 + 1, (j, 1, L_p)), (i, 1, m))    -- one forward, one backward, in each layer
      = sum(2*L_p, (i, 1, m))                         -- equal layers
      = 2*m*L_p                                       -- equal micro-batches
    """,
)
