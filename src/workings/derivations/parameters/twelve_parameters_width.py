"""How wide a GPT must be for 12·L·D² to leave out little."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.parameters._sources import MEGATRON_SIZE
from workings.derivations.parameters.twelve_parameters_error import (
    TWELVE_PARAMETERS_ERROR,
    weigh_the_rest,
)
from workings.units import ONE
from workings.vocabulary.kinds import BUILT_LIKE_GPT
from workings.vocabulary.model import BLOCKS, D_MODEL, POSITIONS, VOCAB
from workings.vocabulary.parameters import LEFT_OUT


def weigh_and_compare(V: int, n_pos: int, L: int, D: int, x: Fraction) -> bool:
    """All tensors of a GPT listed; whether tables, biases and norms are at most this share of them."""
    return weigh_the_rest(V, n_pos, L, D, 1) <= x


TWELVE_PARAMETERS_WIDTH = derivation(
    "twelve-parameters-width",
    title="Width from which 12·L·D² leaves out little",
    unit=ONE,
    noun="values",
    letters={"V": VOCAB, "n_pos": POSITIONS, "L": BLOCKS, "D": D_MODEL, "x": LEFT_OUT},
    uses={"e_12": TWELVE_PARAMETERS_ERROR.at(H="1")},
    source=MEGATRON_SIZE,
    oracle=weigh_and_compare,
    convention="A GPT with tied embeddings and every bias, its feed-forward `4*D` wide; its heads do "
    "not matter.",
    holds_for={BUILT_LIKE_GPT: ""},
    chain="""
    e_12 <= x                                     -- the share left out is small enough
      <=> (1/x - 1)*(V*D + n_pos*D + 13*L*D + 2*D) <= 12*L*D^2    -- put the share in
      <=> D >= (1/x - 1)*(V/L + n_pos/L + 13 + 2/L)/12            -- solve for the width
    """,
)
