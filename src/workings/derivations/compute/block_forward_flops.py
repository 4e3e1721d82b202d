"""FLOPs of one transformer block's forward pass."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import BLOCK, model_tape
from workings.derivations.compute._sources import RECOMPUTATION_LAYER
from workings.derivations.compute.attention_core_flops import ATTENTION_CORE_FLOPS
from workings.derivations.compute.attention_projection_flops import ATTENTION_PROJECTION_FLOPS
from workings.derivations.compute.ffn_flops import FFN_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT


def write_down_a_block(**letters: Any) -> int:
    """Every product of one block written down with its shapes, sequence by sequence, and counted."""
    return model_tape(**letters, L=1, V=1).forward("projections", "core", "ffn")


BLOCK_FORWARD_FLOPS = derivation(
    "block-forward-flops",
    title="FLOPs of a transformer block, forward",
    unit=FLOP,
    letters=BLOCK,
    uses={
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(),
        "f_core": ATTENTION_CORE_FLOPS.at(),
        "f_ffn": FFN_FLOPS.at(B="b*s"),
    },
    source=RECOMPUTATION_LAYER,
    oracle=write_down_a_block,
    convention="Full attention.",
    leaves_out="Norms, softmax, activation functions and residual additions.",
    holds_for={WITH_ATTENTION: "ffn-forward-flops", WITHOUT_LATENT: "mla-block-forward-flops-causal"},
    chain="""
    f_block = f_proj + f_core + f_ffn        -- attention's two parts and the feed-forward
      = 4[FLOP]*b*s*D*d_h*(H + K) + 4[FLOP]*b*s^2*H*d_h + 2[FLOP]*n_f*b*s*D*F
                                             -- put them in
      = 2[FLOP]*b*s*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h)
                                             -- 2 FLOPs a weight and token, and the core
    """,
)
