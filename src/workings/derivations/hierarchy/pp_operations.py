"""How often a pipeline rank sends."""

from workings.derivation import derivation
from workings.derivations.hierarchy._sources import MEGATRON_STEP
from workings.simulate.interleaved import interleaved
from workings.units import ONE
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.training import MICROBATCHES


def run_and_count_tasks(p: int, m: int, v: int) -> int | None:
    """The interleaved schedule run; the tasks of a rank in the middle, each of which hands on."""
    if p < 3 or p * m * v > 700:
        return None
    tasks = interleaved(p, m, v).tasks
    return sum(1 for task in tasks if task.rank == p // 2)


PP_OPERATIONS = derivation(
    "pp-operations",
    title="Pipeline messages a rank sends in a step",
    unit=ONE,
    noun="messages",
    letters={"p": STAGES, "m": MICROBATCHES, "v": VIRTUAL_STAGES},
    given=("p divides m", "p > 2"),
    source=MEGATRON_STEP,
    oracle=run_and_count_tasks,
    convention="A rank inside the pipeline, which has a neighbour on either side; it receives as many.",
    chain="""
    O_pp = sum(sum(1 + 1, (j, 1, v)), (i, 1, m))    -- one forward, one backward, for every chunk
      = sum(2*v, (i, 1, m))                         -- equal chunks
      = 2*v*m                                       -- equal micro-batches
    """,
)
