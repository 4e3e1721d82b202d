"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import NCCL_TESTS, scaling_book

SCALING_BOOK_AXIS = scaling_book(
    "sharding",
    "part 3, “Case 2: one multiplicand has a sharded contracting dimension”, with its note on latency",
)

SCALING_BOOK_NODE = scaling_book("gpus", "part 12, “Intra-node collectives”")
SCALING_BOOK_NODES = SCALING_BOOK_NODE.at("part 12, “Cross-node collectives” and quiz 4")

NCCL_TESTS_BANDWIDTH = NCCL_TESTS.at(
    "nccl-tests, doc/PERFORMANCE.md, “Bandwidth” and its summary of factors"
)

NCCL_TESTS_ROOTED = NCCL_TESTS.at("nccl-tests, doc/PERFORMANCE.md, “Broadcast” and “Reduce”")

MPICH_ALL_GATHER = Source(
    "Argonne National Laboratory",
    "MPICH",
    2001,
    "comment on costs in src/mpi/coll/allgather.c: ring, recursive doubling, Bruck",
    "https://github.com/pmodels/mpich",
)

MPICH_ALL_REDUCE = MPICH_ALL_GATHER.at(
    "comment on costs in src/mpi/coll/allreduce.c: Rabenseifner's algorithm, recursive doubling"
)

MPICH_BROADCAST = MPICH_ALL_GATHER.at("comment on the binomial tree in src/mpi/coll/bcast.c")

PYTORCH_UNEVEN_GATHER = Source(
    "PyTorch",
    "Enable pg_nccl to perform vector AllGather for uneven output splits",
    2022,
    "pull request 83713, its summary: broadcasts, coalesced, where any shape is different",
    "https://github.com/pytorch/pytorch/pull/83713",
)
