"""Batches where transfers overlap.

With both transfers and compute at the same time, only the slower transfer must hide. If the feed-forward
is wide enough for tensor parallelism to hide, what remains is the gather, and the threshold in tokens
follows, with exact rings too. A chip's and a shard's part of it no longer depend on the number of shards.
Compute against either transfer alone gives the batch that hides the gathers and the width that hides
tensor parallelism, which no batch replaces.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import first_batch, run_block, spread_block
from workings.derivations.mesh.times import (
    LARGE_RINGS,
    MESH_COMPUTE_TIME,
    MESH_GATHER_TIME,
    MESH_GATHER_TIME_LARGE,
    MESH_TENSOR_TIME,
    MESH_TENSOR_TIME_LARGE,
)
from workings.derivations.sources import SCALING_BOOK_FSDP, SCALING_BOOK_MIXED, SCALING_BOOK_TP
from workings.units import ONE
from workings.vocabulary.kinds import TORUS

OVERLAPPED = "Large rings; both transfers and the compute run at the same time (max)."


def race_overlapped(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=True)
    return times.compute > times.slower


COMPUTE_BOUND_BATCH_MAX = derivation(
    "compute-bound-batch-max",
    title="Tokens from which the forward pass is compute-bound (overlapped)",
    phrases="critical token batch for given mesh, overlapped; roofline batch FSDP×TP max; scaling book "
    "mixed FSDP and TP batch; batch size where mesh math beats communication; minimum tokens on a 2D "
    "mesh with overlap; comm-bound below this batch; batch size to be compute-bound with FSDP plus TP; "
    "how many tokens to be compute-bound",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses=LARGE_RINGS,
    given=("F > a*Y*C/(2[FLOP]*W*M_Y) -- no batch is large enough: its own transfers outlast it",),
    source=SCALING_BOOK_MIXED,
    oracle=race_overlapped,
    holds_for={TORUS: "compute-bound-batch-sum"},
    convention=OVERLAPPED,
    leaves_out="Start-up latency, and devices that run below their peak.",
    chain="""
    T_math > max(T_F, T_T)                  -- the slower transfer must hide behind compute
      <=> T_math > T_F                      -- `T_math > T_T` holds, as `F` is large enough
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*w*D*F/(Y*W*M_X)     -- put the times in
      <=> 4[FLOP]*B/(X*C) > 2*w/(W*M_X)                 -- cancel `D*F/Y`
      <=> B > w*X*C/(2[FLOP]*W*M_X)                   -- solve for the tokens
    """,
)


def race_overlapped_exact(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=False)
    return times.compute > times.slower


COMPUTE_BOUND_BATCH_MAX_EXACT = like(
    "compute-bound-batch-max-exact",
    COMPUTE_BOUND_BATCH_MAX,
    title="Tokens from which the forward pass is compute-bound (overlapped, exact rings)",
    phrases="critical token batch overlapped with X-1 rings; exact ring roofline batch; precise mesh "
    "batch for small rings, axes at once; FSDP plus TP minimum tokens with (n-1)/n, overlapped; FSDP+TP "
    "batch threshold with (X-1)/X and (Y-1)/Y, overlap; small 2D mesh batch threshold with overlap; "
    "compute-bound batch exact ring factors mesh",
    uses={
        "T_math": MESH_COMPUTE_TIME.at(),
        "T_F_ring": MESH_GATHER_TIME.at(),
        "T_T_ring": MESH_TENSOR_TIME.at(),
    },
    given=("F > a*(Y - 1)*C/(2[FLOP]*W*M_Y) -- no batch is large enough: its own transfers outlast it",),
    oracle=race_overlapped_exact,
    holds_for={TORUS: "compute-bound-batch-sum-exact"},
    convention="Exact rings; both transfers and the compute run at the same time (max).",
    chain="""
    T_math > max(T_F_ring, T_T_ring)        -- the slower transfer must hide behind compute
      <=> T_math > T_F_ring                 -- `T_math > T_T_ring` holds, as `F` is large enough
      <=> 4[FLOP]*B*D*F/(X*Y*C) > (X - 1)/X*(2*w*D*F/(Y*W*M_X))   -- put the times in
      <=> B > w*(X - 1)*C/(2[FLOP]*W*M_X)                     -- solve for the tokens
    """,
)


def race_against_gathers(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against that of its gathers."""
    times = run_block(**letters, large=True)
    return times.compute > times.fsdp


COMPUTE_BOUND_BATCH_GATHER = derivation(
    "compute-bound-batch-gather",
    title="Tokens from which compute hides the gathers of the weights",
    phrases="tokens to hide FSDP weight gathers; global batch roofline of FSDP alone; FSDP side of the "
    "mesh batch condition; FSDP+TP tokens so T_math exceeds T_FSDP; batch so weight allgathers hide on "
    "2D mesh",
    unit=ONE,
    noun="tokens",
    letters={name: ALL[name] for name in ("B", "D", "F", "X", "Y", "C", "W", "M_X", "w")},
    uses={"T_math": MESH_COMPUTE_TIME.at(), "T_F": MESH_GATHER_TIME_LARGE.at()},
    source=SCALING_BOOK_FSDP,
    oracle=race_against_gathers,
    convention="Large ring; gathers and compute run at the same time: as many tokens as in "
    "compute-bound-batch-max. On a torus tensor parallelism has axes of its own; on a switch it shares "
    "the port, so there the threshold of both in turn counts.",
    leaves_out="Transfers of tensor parallelism, start-up latency, devices that run below their peak.",
    chain="""
    T_math > T_F                            -- the gathers must hide behind compute
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*w*D*F/(Y*W*M_X)     -- put the times in
      <=> 4[FLOP]*B/(X*C) > 2*w/(W*M_X)                 -- cancel `D*F/Y`
      <=> B > w*X*C/(2[FLOP]*W*M_X)                   -- solve for the tokens
    """,
)


def compute_meanwhile(X: int, Y: int, **letters: Any) -> object:
    """One chip alone: how many tokens it could compute while one gather lasts."""
    mesh = spread_block(X=Fraction(X), n=X * Y, **{**letters, "B": 1})
    alone = spread_block(X=Fraction(1), n=1, **{**letters, "B": 1})
    return mesh.fsdp / alone.compute


COMPUTE_BOUND_BATCH_PER_CHIP = derivation(
    "compute-bound-batch-per-chip",
    title="Tokens per chip from which the forward pass is compute-bound (overlapped)",
    phrases="per-device batch for compute-bound; tokens per TPU chip threshold; mixed FSDP TP batch per "
    "chip; 100 tokens per TPU v5p rule; minimum tokens per chip for FSDP plus TP; tokens per chip on a "
    "2D mesh with overlap; B/N threshold for FSDP+TP",
    unit=ONE,
    noun="tokens",
    fractional="a limit, above which the whole numbers of tokens lie",
    letters=ALL,
    uses={"B_max": COMPUTE_BOUND_BATCH_MAX.at()},
    source=SCALING_BOOK_MIXED,
    oracle=compute_meanwhile,
    holds_for={TORUS: "compute-bound-batch-per-shard"},
    convention=OVERLAPPED,
    chain="""
    B_chip = B_max/(X*Y)                     -- `X*Y` chips share the tokens
      = w*C/(2[FLOP]*Y*W*M_X)              -- the `Y` chips of a shard split its weights too
    """,
)


def break_even(X: int, Y: int, **letters: Any) -> object:
    """One token's compute on one FSDP shard, and how many such tokens last one gather."""
    one = spread_block(X=Fraction(X), n=X * Y, **{**letters, "B": 1})
    return one.fsdp / (one.compute * X)


COMPUTE_BOUND_BATCH_PER_SHARD = derivation(
    "compute-bound-batch-per-shard",
    title="Tokens per FSDP shard from which compute hides the gathers of the weights",
    phrases="tokens per FSDP shard threshold; per-shard batch C/W; 850 or 2550 tokens rule; B/X "
    "threshold to hide weight gathers on mesh; batch divided by FSDP size condition; local batch of an "
    "FSDP rank with TP; tokens per dp_shard rank with FSDP+TP",
    unit=ONE,
    noun="tokens",
    fractional="a limit, above which the whole numbers of tokens lie",
    letters=COMPUTE_BOUND_BATCH_GATHER.letters,
    uses={"B_F": COMPUTE_BOUND_BATCH_GATHER.at()},
    source=SCALING_BOOK_FSDP,
    oracle=break_even,
    convention="Large ring; gathers and compute run at the same time.",
    chain="""
    B_X = B_F/X                              -- `X` shards share the tokens
      = w*C/(2[FLOP]*W*M_X)                -- `X` cancels: the threshold is a shard's
    """,
)


def race_against_tensor_parallelism(F: object, **letters: Any) -> bool | None:
    """A block really multiplied on the mesh; compute against the tensor-parallel transfers."""
    if not isinstance(F, int):
        return None  # a width that is no whole number cannot be run
    times = run_block(F=F, **letters, large=True)
    return times.compute > times.tensor


TENSOR_PARALLEL_NEEDS_D_FF = derivation(
    "tensor-parallel-needs-d-ff",
    title="Feed-forward width from which tensor parallelism hides behind compute",
    phrases="Megatron sharding until communication-bound; "
    "how many tensor-parallel chips before ICI bound; "
    "d_ff limit for model parallelism; F > Y C/W; TP compute-bound condition on a TPU mesh; how "
    "wide MLP must be for TP; minimum intermediate size for TP 8; hidden size so tensor slicing is "
    "free; TP on small model is slow",
    unit=ONE,
    noun="values",
    letters={**MESH_COMPUTE_TIME.letters, **MESH_TENSOR_TIME_LARGE.letters},
    uses={"T_math": MESH_COMPUTE_TIME.at(), "T_T": MESH_TENSOR_TIME_LARGE.at()},
    source=SCALING_BOOK_TP,
    oracle=race_against_tensor_parallelism,
    convention="Large ring: the factor `(Y - 1)/Y` is taken as 1.",
    chain="""
    T_math > T_T                                        -- the transfers hide behind compute
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*a*B*D/(X*W*M_Y)     -- put the times in
      <=> F > a*Y*C/(2[FLOP]*W*M_Y)                     -- the tokens cancel: more do not help
    """,
)


def add_tokens_overlapped(**letters: Any) -> int | None:
    """Tokens added one by one until compute outlasts the slower transfer."""
    return first_batch(1, lambda t: t.slower, **letters)


SMALLEST_BATCH_MAX = derivation(
    "smallest-batch-max",
    title="Smallest compute-bound batch (overlapped)",
    phrases="integer token batch above roofline, overlapped; minimum whole batch max; lowest batch over "
    "all FSDP+TP meshes with overlap; minimal compute-bound tokens under both limits, overlap; smallest "
    "global batch if comms overlap; 2D sharding minimum batch",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses={"B_star": COMPUTE_BOUND_BATCH_MAX.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_tokens_overlapped,
    holds_for={TORUS: "smallest-batch-sum"},
    convention=OVERLAPPED,
    chain="""
    B_min = floor(B_star) + 1      -- the smallest whole number above the threshold
    """,
)
