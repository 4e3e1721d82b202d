"""FLOPs of one transformer block's backward pass."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import BLOCK, model_tape
from workings.derivations.compute._sources import RECOMPUTATION_LAYER
from workings.derivations.compute.block_forward_flops import BLOCK_FORWARD_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT


def follow_a_block_back(**letters: Any) -> int:
    """Every product of one block written down, then two for each, one a factor's gradient, counted."""
    tape = model_tape(**letters, L=1, V=1)
    tape.products = [product for product in tape.products if product.part != "logits"]
    return tape.backward()


BLOCK_BACKWARD_FLOPS = derivation(
    "block-backward-flops",
    title="FLOPs of a transformer block, backward",
    unit=FLOP,
    letters=BLOCK,
    uses={"f_block": BLOCK_FORWARD_FLOPS.at()},
    source=RECOMPUTATION_LAYER,
    oracle=follow_a_block_back,
    convention="Full attention; gradients of all weights and all inputs, the block's own included.",
    leaves_out="Norms, softmax, activation functions and residual additions; a mixture's router.",
    holds_for={WITH_ATTENTION: "ffn-backward-flops", WITHOUT_LATENT: "mla-block-backward-flops-causal"},
    chain="""
    f_block_b = f_block + f_block            -- a product for the gradient of either factor
      = 4[FLOP]*b*s*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h)
                                             -- put the forward in
    """,
)
