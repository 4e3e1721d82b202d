"""Degrees and devices.

The degrees of tensor, context, pipeline and data parallelism multiply to the devices of a job, so given
all but one the last follows, and a batch is cut into micro-batches accordingly. Sequence parallelism and
expert parallelism use ranks that are there already. Experts stand on a second mesh over the same devices,
with degrees of its own, and have replicas of their own. Dense gradients are reduced over the ranks that
differ only in what tokens they see.
"""

from workings.derivation import derivation, like
from workings.derivations.ranks._mesh import SIZES, sizes, too_large
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.derivations.sources import MEGATRON_PIPELINE
from workings.simulate.grid import groups, lay_out
from workings.units import ONE
from workings.vocabulary.layout import DEVICES, DP, EDP, EP, ETP, STAGES
from workings.vocabulary.training import BATCH, MICROBATCH


def count_the_ranks(t: int, c: int, p: int, d: int) -> int | None:
    """Every place of the mesh visited once."""
    mesh = sizes(t, c, p, d, 1)
    return None if too_large(mesh) else len(lay_out(mesh))


WORLD_SIZE = derivation(
    "world-size",
    title="Devices of a job",
    phrases="number of GPUs of a job; number of chips of a mesh; "
    "devices of a 2D, 3D or 4D mesh; chips of a pod slice; "
    "total GPU count; tp×cp×pp×dp; how many GPUs does TP8 PP8 DP16 need; torchrun nproc times "
    "nnodes; product of all parallel degrees; size of the default process group; tp times cp times dp "
    "times pp; n = d t p c; how many GPUs does this config use",
    unit=ONE,
    noun="devices",
    letters=SIZES,
    source=MEGATRON_WORLD,
    oracle=count_the_ranks,
    convention="Sequence parallelism uses the tensor-parallel ranks and expert parallelism the "
    "data-parallel ones: neither is a factor of its own.",
    chain="""
    n_w = sum(sum(sum(t, (i, 1, c)), (j, 1, p)), (k, 1, d))     -- groups of `t` ranks, stages, replicas
      = sum(sum(c*t, (j, 1, p)), (k, 1, d))                     -- equal groups
      = sum(p*c*t, (k, 1, d))                                   -- equal stages
      = t*c*p*d                                                 -- equal replicas
    """,
)


def fill_replica_by_replica(n: int, t: int, c: int, p: int, d: int) -> int:
    """Devices taken for one replica after the other until none is left."""
    replicas = 0
    while n > 0:
        n -= sum(1 for _ in range(t) for _ in range(c) for _ in range(p))
        replicas += 1
    return replicas


DATA_PARALLEL_DEGREE = like(
    "data-parallel-degree",
    WORLD_SIZE,
    title="Data-parallel degree that the devices leave",
    phrases="DP size; world size over tp×cp×pp; number of replicas; how many model replicas do I get; "
    "leftover GPUs go to data parallel; DP left after TP and PP; world size divided by model parallel "
    "size; data_parallel_shard_degree -1",
    letters={"n": DEVICES, **SIZES},
    uses={"n_w": WORLD_SIZE.at()},
    given=("t*c*p divides n",),
    oracle=fill_replica_by_replica,
    convention="Every replica has `t*c*p` devices, and none is left over.",
    chain="""
    n = n_w                       -- every device has its place on the mesh
      <=> n = t*c*p*d             -- put the world in
      <=> d = n/(t*c*p)           -- divide by a replica's ranks
    """,
)


def cut_the_batch(b: int, d: int, b_m: int) -> int | None:
    """Sequences dealt to the replicas, each of which cuts its own into micro-batches."""
    mine = [sequence for sequence in range(b) if sequence % d == 0]
    pieces = [mine[start : start + b_m] for start in range(0, len(mine), b_m)]
    return len(pieces) if len(pieces[-1]) == b_m else None


REPLICA_MICROBATCHES = derivation(
    "replica-microbatches",
    title="Micro-batches a replica runs in a step",
    phrases="gradient accumulation from the effective batch size; "
    "global batch size over micro-batch and DP; "
    "gradient accumulation steps; GBS/(MBS·DP); num_microbatches; global-batch-size over "
    "micro-batch-size times DP; how many small batches per step; train_batch_size DeepSpeed relation; "
    "get_num_microbatches value; microbatches m per pipeline per step",
    unit=ONE,
    noun="micro-batches",
    letters={"b": BATCH, "d": DP, "b_m": MICROBATCH},
    given=("d*b_m divides b",),
    source=MEGATRON_PIPELINE.at("section 3.1"),
    oracle=cut_the_batch,
    convention="All replicas run as many, each of `b_m` sequences.",
    chain="""
    m_r = (b/d)/b_m          -- a replica's sequences, `b_m` at a time
      = b/(d*b_m)            -- the same for every replica
    """,
)


def find_the_same_weights(t: int, c: int, p: int, d: int) -> int | None:
    """The mesh laid out; ranks that differ only in what tokens they see."""
    mesh = sizes(t, c, p, d, 1)
    return None if too_large(mesh) else len(groups(("cp", "dp"), mesh)[0])


GRADIENT_GROUP = like(
    "gradient-group",
    WORLD_SIZE,
    title="Ranks over which dense gradients are reduced",
    phrases="dp×cp group size; ranks in dense gradient reduction; data-with-context group; "
    "get_data_parallel_group(with_context_parallel=True) size; does CP count as data parallel for "
    "gradients; which ranks average gradients; size of gradient allreduce group",
    noun="ranks",
    oracle=find_the_same_weights,
    convention="Context parallelism splits sequences, not weights: its ranks join data parallelism.",
    chain="""
    N_g = (t*c*p*d)/(t*p)     -- all ranks, over those that hold different weights
      = c*d                   -- cancel
    """,
)


def count_ranks_of_experts(t_e: int, e: int, d_e: int, p: int) -> int | None:
    """The mesh of experts laid out; the members of all its expert-parallel groups."""
    mesh = {"etp": t_e, "ep": e, "edp": d_e, "pp": p}
    return None if too_large(mesh) else sum(len(group) for group in groups("ep", mesh))


EXPERT_WORLD = like(
    "expert-world",
    WORLD_SIZE,
    title="Devices of a job, counted on the mesh of its experts",
    phrases="GPU count on the expert mesh; etp×ep×edp×pp; MoE parallel folding total GPUs; EP times "
    "expert TP times expert DP times PP; world size from expert parallel degrees",
    letters={"t_e": ETP, "e": EP, "d_e": EDP, "p": STAGES},
    oracle=count_ranks_of_experts,
    convention="`d_e` counts copies of each expert, not replicas of the dense part, which are "
    "`t_e*e*d_e/(t*c)`.",
    chain="""
    n_x = sum(sum(sum(e, (i, 1, t_e)), (j, 1, d_e)), (k, 1, p))  -- `e` ranks for each slice of an expert
      = sum(sum(t_e*e, (j, 1, d_e)), (k, 1, p))                    -- equal slices
      = sum(d_e*t_e*e, (k, 1, p))                                  -- equal copies
      = t_e*e*d_e*p                                                -- equal stages
    """,
)


def pack_sets_of_experts(t: int, c: int, p: int, d: int, t_e: int, e: int, d_e: int) -> int:
    """The ranks of one stage taken in turn for sets of experts, until none is left."""
    ranks, sets = [rank for _ in range(t * c) for rank in range(d)], 0
    while ranks:
        del ranks[: t_e * e]
        sets += 1
    return sets


EXPERT_REPLICAS = like(
    "expert-replicas",
    WORLD_SIZE,
    title="Replicas of the experts",
    phrases="expert data parallel size; EDP; copies of each expert; how many times is an expert "
    "duplicated; EDP from world size and EP; DP divided by EP",
    letters={**SIZES, "t_e": ETP, "e": EP, "d_e": EDP},
    given=("t_e*e divides t*c*d",),
    oracle=pack_sets_of_experts,
    convention="Expert-parallel ranks are data-parallel ranks of the dense part, and a stage holds as "
    "many ranks either way.",
    chain="""
    t*c*p*d = t_e*e*p*d_e                -- both meshes cover the same world
      <=> t*c*d = t_e*e*d_e              -- with the same stages: the ranks of one stage
      <=> d_e = t*c*d/(t_e*e)            -- divide by a set of experts
    """,
)
