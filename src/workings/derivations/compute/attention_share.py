"""Attention's core over the products with weights."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import BLOCK, model_tape
from workings.derivations.compute._sources import SCALING_BOOK_CONTEXT
from workings.derivations.compute.attention_core_flops import ATTENTION_CORE_FLOPS
from workings.derivations.compute.attention_projection_flops import ATTENTION_PROJECTION_FLOPS
from workings.derivations.compute.ffn_flops import FFN_FLOPS
from workings.units import ONE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT


def compare_parts_of_a_block(**letters: Any) -> Fraction:
    """A block's products written down; those of scores and values over those with weights."""
    tape = model_tape(**letters, L=1, V=1)
    return Fraction(tape.forward("core"), tape.forward("projections", "ffn"))


ATTENTION_SHARE = derivation(
    "attention-share",
    title="Attention's scores and values over a block's products with weights",
    unit=ONE,
    letters=BLOCK,
    uses={
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(),
        "f_core": ATTENTION_CORE_FLOPS.at(),
        "f_ffn": FFN_FLOPS.at(B="b*s"),
    },
    source=SCALING_BOOK_CONTEXT,
    oracle=compare_parts_of_a_block,
    convention="Full attention; half of this with causal pairs only. The same forward, backward and "
    "for both: backward doubles every product.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-attention-share-causal"},
    chain="""
    r_core = f_core/(f_proj + f_ffn)         -- what 6 FLOPs a parameter and token leave out
      = 4[FLOP]*b*s^2*H*d_h/(4[FLOP]*b*s*D*d_h*(H + K) + 2[FLOP]*n_f*b*s*D*F)
                                             -- put them in
      = 2*s*H*d_h/(D*(2*d_h*(H + K) + n_f*F))     -- cancel `2*b*s`
    """,
)
