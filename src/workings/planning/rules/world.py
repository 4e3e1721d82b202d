"""Rules of the whole mesh: devices and sequences must be shared out without remainder."""

from workings.planning.rules import sources
from workings.planning.rules.rule import Rule

# Where one of these is broken, degrees or micro-batches are no whole numbers, and what rests on
# them is not judged.
FOUNDATIONS = (
    Rule(
        "world-divides",
        "The mesh fills the devices",
        "t*c*p divides n",
        "a replica takes t·c·p devices, and what is left over belongs to none",
        "error",
        sources.MEGATRON_ARGUMENTS,
        entry="data-parallel-degree",
        change=("t", "c", "p", "n"),
        beside=("d",),
        text="004, valid",
    ),
    Rule(
        "expert-world-divides",
        "The experts' mesh fills the devices",
        "t_e*e*p divides n",
        "expert parallelism takes its ranks from the data-parallel ones of a stage, so the experts' "
        "own degrees must divide the same world",
        "error",
        sources.MEGATRON_GROUPS,
        entry="expert-replicas",
        when=("E >= 1",),
        change=("e", "t_e"),
        beside=("d_e",),
        text="001, decision tree, step 4",
    ),
    Rule(
        "batch-feeds-replicas",
        "Every replica gets a sequence",
        "d <= b",
        "data parallelism shares out sequences; a replica without one has nothing to do",
        "error",
        sources.MEGATRON_MICROBATCHES,
        entry="replica-microbatches",
        change=("b", "t", "p"),
        text="001, constraints",
    ),
    Rule(
        "batch-divides",
        "Every replica runs whole micro-batches",
        "d*b_m divides b",
        "the micro-batches of a step are b/(d·b_m), the same number on every replica",
        "error",
        sources.MEGATRON_MICROBATCHES,
        entry="replica-microbatches",
        change=("b_m", "b"),
        beside=("m",),
    ),
)
