"""The bubble when devices and batch are given."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_DATA
from workings.derivations.pipeline.pipeline_bubble import PIPELINE_BUBBLE
from workings.simulate.pipeline import one_f_one_b
from workings.units import ONE
from workings.vocabulary.layout import DEVICES, DP, TP
from workings.vocabulary.training import BATCH, MICROBATCH


def spread_devices_and_batch(n: int, t: int, d: int, b: int, b_m: int) -> Fraction | None:
    """Devices put into replicas and stages, sequences into micro-batches; 1F1B run on them."""
    stages, rest = divmod(n, t * d)
    microbatches, over = divmod(b, d * b_m)
    if rest or over or stages * microbatches > 400:
        return None
    schedule = one_f_one_b(stages, microbatches)
    return Fraction(schedule.idle(0)) / schedule.busy(0)


PIPELINE_BUBBLE_DEVICES = derivation(
    "pipeline-bubble-devices",
    title="Bubble of `n` devices with `d` replicas, over ideal time",
    unit=ONE,
    letters={"n": DEVICES, "t": TP, "d": DP, "b": BATCH, "b_m": MICROBATCH},
    uses={"beta": PIPELINE_BUBBLE.at(p="n/(t*d)", m="b/(d*b_m)")},
    given=("t*d divides n", "d*b_m divides b"),
    source=MEGATRON_DATA,
    oracle=spread_devices_and_batch,
    convention="Bubble over ideal time, one chunk on a rank; `n` = `p*t*d` devices.",
    leaves_out="Sending activations between stages, and the gradients' all-reduce.",
    chain="""
    beta_n = beta                             -- with `n/(t*d)` stages, `b/(d*b_m)` micro-batches
      = (n/(t*d) - 1)/(b/(d*b_m))             -- put the bubble in
      = (n/t - d)*b_m/b                       -- more replicas: fewer stages, a smaller bubble
    """,
)
