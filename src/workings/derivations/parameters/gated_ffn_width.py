"""How wide a gated feed-forward may be within a plain one's parameters."""

from workings.derivation import derivation
from workings.derivations.parameters._sources import LLAMA_CODE
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.simulate.weights import count, feed_forward
from workings.units import ONE
from workings.vocabulary.model import D_FF, D_MODEL


def compare_the_tensors(D: int, F: int) -> bool:
    """Three matrices of a gated feed-forward listed against two of a plain one, four times as wide."""
    gated, plain = feed_forward("gated", D, F, 3), feed_forward("plain", D, D + D + D + D, 2)
    return count(gated) <= count(plain)


GATED_FFN_WIDTH = derivation(
    "gated-ffn-width",
    title="Width of a gated feed-forward with the parameters of a plain one",
    unit=ONE,
    noun="values",
    letters={"D": D_MODEL, "F": D_FF},
    uses={
        "P_gated": FFN_BLOCK_PARAMETERS.at(n_f="3", beta_f="0"),
        "P_plain": FFN_BLOCK_PARAMETERS.at(F="4*D", n_f="2", beta_f="0"),
    },
    source=LLAMA_CODE,
    oracle=compare_the_tensors,
    convention="The plain feed-forward is `4*D` wide. Models round: Llama 2 7B has `F` = 11,008 for "
    "`8/3*D` = 10,922.7, and Llama 3 widens it by 1.3 or 1.2 first.",
    chain="""
    P_gated <= P_plain            -- no more parameters than without the gate
      <=> 3*D*F <= 2*D*(4*D)      -- three matrices against two
      <=> F <= 8/3*D              -- divide by `3*D`
    """,
)
