"""How often a tensor-parallel group reduces."""

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import STAGE
from workings.derivations.hierarchy._sources import MEGATRON_TENSOR
from workings.derivations.ranks.shares import FULLEST_STAGE, deal_layers_to_stages
from workings.simulate.rhythm import Stretch, operations
from workings.units import ONE
from workings.vocabulary.kinds import WITH_ATTENTION
from workings.vocabulary.training import MICROBATCHES


def walk_through_a_step(L: int, p: int, m: int) -> int | None:
    """Every micro-batch through every layer of the fullest stage, forward and back, noting each."""
    layers = deal_layers_to_stages(L, p)
    block = [Stretch(1, "tp"), Stretch(1, "tp")]  # after attention and after the feed-forward
    work = [
        half for _ in range(m) for _ in ("forward", "backward") for _ in range(layers) for half in block
    ]
    return len(operations(work)["tp"])


TP_OPERATIONS = derivation(
    "tp-operations",
    title="Tensor-parallel all-reduces of a rank in a step",
    unit=ONE,
    noun="all-reduces",
    letters={**STAGE, "m": MICROBATCHES},
    uses={"L_p": FULLEST_STAGE.at()},
    source=MEGATRON_TENSOR,
    oracle=walk_through_a_step,
    convention="Two forward and two backward a layer; with sequence parallelism each is an all-gather "
    "and a reduce-scatter. The fullest stage.",
    leaves_out="Embedding and loss; what is run again when activations are recomputed.",
    holds_for={WITH_ATTENTION: ""},
    chain="""
    O_tp = sum(sum(2 + 2, (j, 1, L_p)), (i, 1, m))    -- two forward, two backward, in each layer
      = sum(4*L_p, (i, 1, m))                         -- equal layers
      = 4*m*L_p                                       -- equal micro-batches
    """,
)
