"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source

SCALING_BOOK_AXIS = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 3, “Case 2: one multiplicand has a sharded contracting dimension”, with its note on latency",
    "https://jax-ml.github.io/scaling-book/sharding/",
)

SCALING_BOOK_NODE = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 12, “Intra-node collectives”",
    "https://jax-ml.github.io/scaling-book/gpus/",
)

SCALING_BOOK_NODES = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 12, “Cross-node collectives” and quiz 4",
    "https://jax-ml.github.io/scaling-book/gpus/",
)

NCCL_TESTS_BANDWIDTH = Source(
    "NVIDIA",
    "Performance reported by NCCL tests",
    None,
    "nccl-tests, doc/PERFORMANCE.md, “Bandwidth” and its summary of factors",
    "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
)

NCCL_TESTS_ROOTED = Source(
    "NVIDIA",
    "Performance reported by NCCL tests",
    None,
    "nccl-tests, doc/PERFORMANCE.md, “Broadcast” and “Reduce”",
    "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
)

MPICH_ALL_GATHER = Source(
    "Argonne National Laboratory",
    "MPICH",
    2001,
    "comment on costs in src/mpi/coll/allgather.c: ring, recursive doubling, Bruck",
    "https://github.com/pmodels/mpich",
)

MPICH_ALL_REDUCE = Source(
    "Argonne National Laboratory",
    "MPICH",
    2001,
    "comment on costs in src/mpi/coll/allreduce.c: Rabenseifner's algorithm, recursive doubling",
    "https://github.com/pmodels/mpich",
)

MPICH_BROADCAST = Source(
    "Argonne National Laboratory",
    "MPICH",
    2001,
    "comment on the binomial tree in src/mpi/coll/bcast.c",
    "https://github.com/pmodels/mpich",
)
