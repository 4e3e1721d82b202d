"""What is sent, in parameters."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.data_parallel._letters import SAME, VOLUME
from workings.derivations.data_parallel._sources import ZERO_VOLUME_GRADIENTS
from workings.derivations.data_parallel._step import one_column, one_row
from workings.derivations.sources import ZERO
from workings.simulate.tensors import ffn_weights, total_bytes, training_state
from workings.simulate.training_step import DDP, ZERO_1, ZERO_2, ZERO_3
from workings.units import ONE
from workings.vocabulary.training import GRADIENT_WIDTH, MASTER_WIDTH, MOMENT_WIDTH, WORKING_WIDTH

ZERO_VOLUME_DP = ZERO.at("section 7.1")


def train_replicas(P: int, d: int) -> Fraction:
    """A step on real vectors whose weights match a single device's; the values a rank sent."""
    return one_column(d, 1, DDP).all_reduced * P


DDP_VOLUME = derivation(
    "ddp-volume",
    title="Parameters a device sends in a step of DDP",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks",
    letters=SAME,
    source=ZERO_VOLUME_DP,
    oracle=train_replicas,
    convention="One micro-batch a step; all-reduce on a ring; each direction of a link counted once.",
    chain="""
    Q_ddp = sum(P/d, (i, 1, d - 1)) + sum(P/d, (i, 1, d - 1))
                                   -- sums go round a ring of `d` in chunks of `P/d`, then go round again
      = 2*(d - 1)*(P/d)            -- `d - 1` equal terms, twice
      = 2*(d - 1)/d*P              -- collect
      <= 2*P                       -- `d - 1 < d`
      ≈ [d -> oo] 2*P              -- on a large ring, two model sizes
    """,
)


def train_with_sharded_optimizer(P: int, d: int) -> Fraction:
    """A step on real vectors, each rank updating its shard; the values a rank sent."""
    step = one_row(d, 1, ZERO_1)
    return (step.scattered + step.gathered) * P


ZERO_1_VOLUME = derivation(
    "zero-1-volume",
    title="Parameters a device sends in a step of ZeRO-1",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks",
    letters=VOLUME,
    source=ZERO_VOLUME_GRADIENTS,
    oracle=train_with_sharded_optimizer,
    convention="One micro-batch a step; collectives on a ring.",
    chain="""
    Q_1 = sum(P/d, (i, 1, d - 1)) + sum(P/d, (i, 1, d - 1))
                                   -- gradients are reduce-scattered, updated weights gathered
      = 2*(d - 1)/d*P              -- the update stands between the halves of an all-reduce
      <= 2*P                       -- no more than DDP
      ≈ [d -> oo] 2*P              -- on a large ring
    """,
)


def train_with_sharded_gradients(P: int, d: int) -> Fraction:
    """A step on real vectors, gradients scattered as they arise; the values a rank sent."""
    step = one_row(d, 1, ZERO_2)
    return (step.scattered + step.gathered) * P


ZERO_2_VOLUME = derivation(
    "zero-2-volume",
    title="Parameters a device sends in a step of ZeRO-2",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks",
    letters=VOLUME,
    source=ZERO_VOLUME_GRADIENTS,
    oracle=train_with_sharded_gradients,
    convention="One micro-batch a step; collectives on a ring.",
    chain="""
    Q_2 = sum(P/d, (i, 1, d - 1)) + sum(P/d, (i, 1, d - 1))
                                   -- gradients are reduce-scattered during backward, weights gathered
      = 2*(d - 1)/d*P              -- collect
      <= 2*P                       -- no more than DDP
      ≈ [d -> oo] 2*P              -- on a large ring
    """,
)


ZERO_VOLUME_PARAMETERS = ZERO.at("section 7.2.2")


def train_with_sharded_weights(P: int, d: int) -> Fraction:
    """A step on real vectors, weights gathered for each pass; the values a rank sent."""
    step = one_row(d, 1, ZERO_3)
    return (step.scattered + step.gathered) * P


ZERO_3_VOLUME = derivation(
    "zero-3-volume",
    title="Parameters a device sends in a step of ZeRO-3",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks",
    letters=VOLUME,
    source=ZERO_VOLUME_PARAMETERS,
    oracle=train_with_sharded_weights,
    convention="One micro-batch a step; weights are freed after the forward; collectives on a ring.",
    chain="""
    Q_3 = 2*sum(P/d, (i, 1, d - 1)) + sum(P/d, (i, 1, d - 1))
                                   -- weights gathered for forward and backward, gradients scattered
      = 3*(d - 1)*(P/d)            -- three times round the ring
      = 3*(d - 1)/d*P              -- collect
      <= 3*P                       -- `d - 1 < d`
      ≈ [d -> oo] 3*P              -- on a large ring, three model sizes
    """,
)


def train_both_ways(P: int, d: int) -> Fraction:
    """The same step run sharded and replicated, and what a rank sent in each."""
    sharded = one_row(d, 1, ZERO_3)
    return (sharded.scattered + sharded.gathered) / one_column(d, 1, DDP).all_reduced


ZERO_3_OVER_DDP = derivation(
    "zero-3-over-ddp",
    title="Communication of ZeRO-3 over that of DDP",
    unit=ONE,
    letters=VOLUME,
    uses={"Q_3": ZERO_3_VOLUME.at(), "Q_ddp": DDP_VOLUME.at()},
    given=("d > 1",),
    source=ZERO_VOLUME_PARAMETERS,
    oracle=train_both_ways,
    convention="Weights and gradients take the same number of bytes.",
    chain="""
    r_3 = Q_3/Q_ddp                               -- what one sends over what the other sends
      = (3*(d - 1)/d*P)/(2*(d - 1)/d*P)           -- put both in
      = 3/2                                       -- cancel: the same on every ring
    """,
)


ZERO_STATE = ZERO.at("section 3.1")


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
