"""How often tokens are sent to experts."""

from workings.derivation import derivation
from workings.derivations.hierarchy._sources import DEEPSEEK_OVERLAP
from workings.simulate.rhythm import Stretch, operations
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import MOE_BLOCKS
from workings.vocabulary.training import MICROBATCHES


def walk_the_blocks_with_experts(L_E: int, p: int, m: int) -> int:
    """Blocks dealt to stages; every micro-batch through the fullest, forward and back."""
    stages: list[list[int]] = [[] for _ in range(p)]
    for block in range(L_E):
        stages[block % p].append(block)
    block_work = [Stretch(1, "ep"), Stretch(1, "ep")]  # dispatch before the experts, combine after
    work = [
        half for _ in range(m) for _ in ("forward", "backward") for _ in stages[0] for half in block_work
    ]
    return len(operations(work).get("ep", []))


EP_OPERATIONS = derivation(
    "ep-operations",
    title="All-to-alls of a rank in a step",
    unit=ONE,
    noun="all-to-alls",
    letters={"L_E": MOE_BLOCKS, "p": STAGES, "m": MICROBATCHES},
    source=DEEPSEEK_OVERLAP,
    oracle=walk_the_blocks_with_experts,
    convention="The fullest stage; nothing is recomputed.",
    chain="""
    O_ep = sum((2 + 2)*ceil(L_E/p), (i, 1, m))
                                  -- in each block dispatch and combine, forward and backward
      = sum(4*ceil(L_E/p), (i, 1, m))                        -- add
      = 4*m*ceil(L_E/p)                                      -- equal micro-batches
    """,
)
