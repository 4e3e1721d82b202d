"""16 bytes a parameter over tensor and pipeline parallelism."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.state._sources import ZERO_STATE
from workings.derivations.state.mixed_precision_state import MIXED_PRECISION_STATE
from workings.simulate.stage_placement import mean_held
from workings.simulate.stored_state import bytes_of
from workings.units import BYTE
from workings.vocabulary.layout import STAGES, TP
from workings.vocabulary.model import PARAMETERS


def deal_every_value(P: int, t: int, p: int) -> Fraction:
    """Every parameter dealt over the stages and their ranks, with all its values; the mean rank."""
    kept = [bytes_of(kind) for kind in ("bf16", "bf16", "fp32", "fp32", "fp32")]
    return sum(kept) * mean_held(P, [(t, True), (p, True)])


MODEL_PARALLEL_STATE = derivation(
    "model-parallel-state",
    title="Model state of a rank under tensor and pipeline parallelism alone",
    unit=BYTE,
    fractional="in the mean over the ranks",
    letters={"P": PARAMETERS, "t": TP, "p": STAGES},
    uses={"S_16": MIXED_PRECISION_STATE.at()},
    source=ZERO_STATE,
    oracle=deal_every_value,
    convention="Data parallelism copies the state, nothing of it is sharded; the mean of all ranks, so "
    "even stages.",
    chain="""
    S_mp = S_16/(t*p)              -- `t` ranks share a stage, `p` stages share the model
      = 16[byte]*P/(t*p)           -- mixed precision with Adam: 16 bytes a parameter
    """,
)
