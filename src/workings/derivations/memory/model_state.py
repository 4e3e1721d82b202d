"""Weights, gradients and optimizer state."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.parameters.feed_forward import FFN_PARAMETERS
from workings.derivations.sources import ADAMW
from workings.simulate.tensors import ffn_weights, total_bytes, training_state
from workings.units import BYTE
from workings.vocabulary.kinds import ONE_COPY, WITHOUT_ATTENTION
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import GRADIENT_WIDTH, MASTER_WIDTH, MOMENT_WIDTH


def allocate_every_tensor(
    L: int, D: int, F: int, w_p: Fraction, w_g: Fraction, w_o: Fraction
) -> Fraction:
    """A list of every weight, gradient and moment tensor with its shape and bytes per value."""
    weights = ffn_weights(L, D, F, w_p)
    return total_bytes(training_state(weights, w_g, w_o))


MODEL_STATE = derivation(
    "model-state",
    title="Model state of a feed-forward model: weights, gradients, AdamW moments",
    unit=BYTE,
    letters={
        "L": BLOCKS,
        "D": D_MODEL,
        "F": D_FF,
        "w_p": MASTER_WIDTH,
        "w_g": GRADIENT_WIDTH,
        "w_o": MOMENT_WIDTH,
    },
    uses={"P": FFN_PARAMETERS.at()},
    source=ADAMW,
    oracle=allocate_every_tensor,
    leaves_out="A second, low-precision copy of the weights; see the gathered weights of part (b).",
    ledger=(
        Row("weights", "w_p*P", "the master copy"),
        Row("gradients", "w_g*P", "one a parameter"),
        Row("first moments", "w_o*P", "AdamW's running mean of the gradient"),
        Row("second moments", "w_o*P", "AdamW's running mean of its square"),
    ),
    holds_for={WITHOUT_ATTENTION: "training-state", ONE_COPY: "training-state"},
    chain="""
    S = rows                       -- add the rows
      = (w_p + w_g + 2*w_o)*P      -- bytes a parameter, times parameters
    """,
)
