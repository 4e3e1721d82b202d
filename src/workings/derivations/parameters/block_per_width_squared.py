"""A block's parameters as a multiple of D²."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters._sources import lecture_8
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.gqa_parameters import GQA_PARAMETERS
from workings.simulate.weights import attention, count, feed_forward
from workings.units import ONE
from workings.vocabulary.kinds import HEADS_FILL, WITHOUT_EXPERTS
from workings.vocabulary.model import D_FF, D_MODEL, FFN_MATRICES, HEADS, KV_HEADS


def lay_out_as_squares(D: int, H: int, K: int, F: int, n_f: int) -> Fraction:
    """The block's matrices listed and added up, measured in squares as wide as the model."""
    matrices = count(attention(described(D=D, H=H, K=K, d_h=D // H))) + count(
        feed_forward("ffn", D, F, n_f)
    )
    return Fraction(matrices, D * D)


BLOCK_PER_WIDTH_SQUARED = derivation(
    "block-per-width-squared",
    title="Parameters of a dense block in units of D²",
    unit=ONE,
    letters={"D": D_MODEL, "H": HEADS, "K": KV_HEADS, "F": D_FF, "n_f": FFN_MATRICES},
    uses={"P_gqa": GQA_PARAMETERS.at(), "P_ffn": FFN_BLOCK_PARAMETERS.at(beta_f="0")},
    given=("H divides D", "K <= H"),
    source=lecture_8("Llama 3.1"),
    oracle=lay_out_as_squares,
    convention="The lecture takes 10 for Llama 3.1; it is 13 for 8B (`K/H` = 1/4, `F` = `3.5*D`), "
    "12.75 for 70B and 11.875 for 405B.",
    leaves_out="Norms and biases, which grow with `D`.",
    holds_for={
        HEADS_FILL: "largest-block-per-width-squared",
        WITHOUT_EXPERTS: "largest-block-per-width-squared",
    },
    chain="""
    c_D = (P_gqa + P_ffn)/D^2           -- attention and feed-forward, in squares of the width
      = 2*(1 + K/H) + n_f*F/D           -- sizes put in
    """,
)
