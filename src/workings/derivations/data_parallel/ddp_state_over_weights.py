"""How many times its weights a replica holds."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.data_parallel._sources import ZERO_STATE
from workings.simulate.tensors import ffn_weights, total_bytes, training_state
from workings.units import ONE
from workings.vocabulary.training import (
    GRADIENT_WIDTH,
    MASTER_WIDTH,
    MOMENT_WIDTH,
    WORKING_WIDTH,
)


def list_a_replica(w_c: Fraction, w_g: Fraction, w_p: Fraction, w_o: Fraction) -> Fraction:
    """Every tensor of a small model listed with its bytes, over the bytes of the working weights."""
    working = total_bytes(ffn_weights(2, 3, 5, w_c))
    return (working + total_bytes(training_state(ffn_weights(2, 3, 5, w_p), w_g, w_o))) / working


DDP_STATE_OVER_WEIGHTS = derivation(
    "ddp-state-over-weights",
    title="Model state of a replica over its working weights",
    unit=ONE,
    letters={
        "w_c": WORKING_WIDTH,
        "w_g": GRADIENT_WIDTH,
        "w_p": MASTER_WIDTH,
        "w_o": MOMENT_WIDTH,
    },
    given=("w_c > 0[byte]",),
    source=ZERO_STATE,
    oracle=list_a_replica,
    convention="Mixed precision with AdamW; data parallelism divides none of it.",
    ledger=(
        Row("working weights", "w_c/w_c", "what a forward reads"),
        Row("gradients", "w_g/w_c", "one a parameter"),
        Row("master weights", "w_p/w_c", "what the optimizer updates"),
        Row("first moments", "w_o/w_c", "AdamW's mean of the gradient"),
        Row("second moments", "w_o/w_c", "AdamW's mean of its square"),
    ),
    chain="""
    R_dp = rows                                  -- five tensors the shape of the model
      = (w_c + w_g + w_p + 2*w_o)/w_c            -- bytes a parameter, over those of a working weight
    """,
)
