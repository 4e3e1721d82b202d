"""FLOPs of a training step with every block recomputed."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import MODEL, model_tape
from workings.derivations.compute._sources import SCALING_BOOK_REMAT
from workings.derivations.compute.block_forward_flops import BLOCK_FORWARD_FLOPS
from workings.derivations.compute.logits_flops import LOGITS_FLOPS
from workings.derivations.compute.model_training_flops import MODEL_TRAINING_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT


def run_blocks_twice(**letters: Any) -> int:
    """Every product counted forward, those of the blocks forward again, and all back."""
    tape = model_tape(**letters)
    return tape.forward() + tape.forward("projections", "core", "ffn") + tape.backward()


FULL_RECOMPUTE_FLOPS = derivation(
    "full-recompute-flops",
    title="FLOPs of a training step, every block recomputed (hardware FLOPs)",
    unit=FLOP,
    letters=MODEL,
    uses={
        "f_train": MODEL_TRAINING_FLOPS.at(),
        "f_block": BLOCK_FORWARD_FLOPS.at(),
        "f_logit": LOGITS_FLOPS.at(B="b*s"),
    },
    source=SCALING_BOOK_REMAT,
    oracle=run_blocks_twice,
    convention="Only each block's input is kept; the logits are not recomputed.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-full-recompute-flops-causal"},
    chain="""
    f_full = f_train + L*f_block             -- every block run forward once more
      = 4*L*f_block + 3*f_logit              -- a training step is three forward passes
      < 4/3*f_train                          -- a third more at most: 8 FLOPs a parameter, not 6
    """,
)
