"""The batch from which all stages work at the same time."""

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_NOTATION
from workings.derivations.pipeline._times import SMALL
from workings.simulate.pipeline import gpipe
from workings.units import ONE
from workings.vocabulary.layout import DP, STAGES
from workings.vocabulary.training import BATCH, MICROBATCH


def look_for_a_full_pipeline(p: int, d: int, b: int, b_m: int) -> bool | None:
    """GPipe run with whole micro-batches; whether the first and the last rank ever go forward at once."""
    microbatches, over = divmod(b, d * b_m)
    if over or not microbatches or p * microbatches > SMALL:
        return None
    schedule = gpipe(p, microbatches)
    last_starts = min(task.start for task in schedule.of(p - 1))
    return any(task.start <= last_starts < task.end for task in schedule.of(0) if task.kind == "forward")


BATCH_TO_FILL_PIPELINE = derivation(
    "batch-to-fill-pipeline",
    title="Sequences that fill every pipeline",
    unit=ONE,
    noun="sequences",
    letters={"p": STAGES, "d": DP, "b": BATCH, "b_m": MICROBATCH},
    source=MEGATRON_NOTATION,
    oracle=look_for_a_full_pipeline,
    convention="Whole micro-batches; filled: at some time all ranks go forward at once.",
    chain="""
    b/(d*b_m) >= p           -- the first rank must still have work when the last one begins
      <=> b >= p*d*b_m       -- solve for the batch: `p` micro-batches in every replica
    """,
)
