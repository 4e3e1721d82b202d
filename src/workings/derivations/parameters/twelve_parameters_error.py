"""What 12·L·D² leaves out of a GPT's parameters."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters._sources import MEGATRON_SIZE
from workings.derivations.parameters.gpt_parameters import GPT_PARAMETERS, list_a_gpt
from workings.simulate.weights import attention, count, feed_forward
from workings.units import ONE
from workings.vocabulary.kinds import BUILT_LIKE_GPT
from workings.vocabulary.model import BLOCKS, D_MODEL, HEADS, POSITIONS, VOCAB


def weigh_the_rest(V: int, n_pos: int, L: int, D: int, H: int) -> Fraction:
    """Tables, biases and norms of a GPT: all its tensors listed, but for the blocks' matrices."""
    matrices = count(attention(described(D=D, H=H, K=H, d_h=D // H)))
    matrices += count(feed_forward("ffn", D, D + D + D + D, 2))
    everything = list_a_gpt(V, n_pos, L, D, H)
    return Fraction(everything - sum(matrices for _ in range(L)), everything)


TWELVE_PARAMETERS_ERROR = derivation(
    "twelve-parameters-error",
    title="Share of a GPT that 12·L·D² leaves out",
    unit=ONE,
    letters={"V": VOCAB, "n_pos": POSITIONS, "L": BLOCKS, "D": D_MODEL, "H": HEADS},
    uses={"P_gpt": GPT_PARAMETERS.at()},
    given=("H divides D",),
    source=MEGATRON_SIZE,
    oracle=weigh_the_rest,
    convention="Of all parameters: 31.7 % of GPT-2 small, 0.38 % of GPT-3 175B.",
    holds_for={BUILT_LIKE_GPT: "twelve-parameters-left-out"},
    chain="""
    e_12 = (P_gpt - 12*L*D^2)/P_gpt                     -- what the blocks' matrices are not
      = (V*D + n_pos*D + 13*L*D + 2*D)/P_gpt            -- tables, biases and norms
    """,
)
