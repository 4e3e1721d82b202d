"""FLOPs of a dense model's forward pass."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import MODEL, model_tape
from workings.derivations.compute._sources import RECOMPUTATION_LAYER
from workings.derivations.compute.block_forward_flops import BLOCK_FORWARD_FLOPS
from workings.derivations.compute.logits_flops import LOGITS_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT


def write_down_the_model(**letters: Any) -> int:
    """Every product of the whole model written down with its shapes and counted."""
    return model_tape(**letters).forward()


MODEL_FORWARD_FLOPS = derivation(
    "model-forward-flops",
    title="FLOPs of a model, forward",
    unit=FLOP,
    letters=MODEL,
    uses={"f_block": BLOCK_FORWARD_FLOPS.at(), "f_logit": LOGITS_FLOPS.at(B="b*s")},
    source=RECOMPUTATION_LAYER,
    oracle=write_down_the_model,
    convention="Full attention.",
    leaves_out="Everything that is no matrix product.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    f_model = sum(f_block, (i, 1, L)) + f_logit     -- block after block, then the logits
      = L*f_block + f_logit                         -- equal blocks
      = 2[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + D*V)
                                                    -- put them in
    """,
)
