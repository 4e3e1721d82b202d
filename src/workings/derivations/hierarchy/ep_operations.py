"""How often tokens are sent to experts."""

from workings.derivation import derivation
from workings.derivations.hierarchy._sources import DEEPSEEK_OVERLAP
from workings.simulate.rhythm import Stretch, operations
from workings.units import ONE
from workings.vocabulary.experts import STAGE_MOE_BLOCKS
from workings.vocabulary.training import MICROBATCHES


def walk_the_blocks_with_experts(L_E: int, m: int) -> int:
    """Every micro-batch through every block of the stage, forward and back."""
    block_work = [Stretch(1, "ep"), Stretch(1, "ep")]  # dispatch before the experts, combine after
    work = [
        half for _ in range(m) for _ in ("forward", "backward") for _ in range(L_E) for half in block_work
    ]
    return len(operations(work).get("ep", []))


EP_OPERATIONS = derivation(
    "ep-operations",
    title="All-to-alls of a rank in a step",
    unit=ONE,
    noun="all-to-alls",
    letters={"L_E": STAGE_MOE_BLOCKS, "m": MICROBATCHES},
    source=DEEPSEEK_OVERLAP,
    oracle=walk_the_blocks_with_experts,
    convention="Of one stage; a scenario gives the one with most blocks that have experts. Nothing is "
    "recomputed.",
    chain="""
    O_ep = sum((2 + 2)*L_E, (i, 1, m))
                                  -- in each block dispatch and combine, forward and backward
      = sum(4*L_E, (i, 1, m))                        -- add
      = 4*m*L_E                                      -- equal micro-batches
    """,
)
