"""The overlapped threshold of one chip."""

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import spread_block
from workings.derivations.mesh.compute_bound_batch_max import COMPUTE_BOUND_BATCH_MAX
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.kinds import TORUS


def tokens_a_chip_computes_meanwhile(X: int, Y: int, **letters: object) -> object:
    """One chip alone: how many tokens it could compute while one gather lasts."""
    mesh = spread_block(X=X, n=X * Y, **{**letters, "B": 1})  # type: ignore[arg-type]
    alone = spread_block(X=1, n=1, **{**letters, "B": 1})  # type: ignore[arg-type]
    return mesh.fsdp / alone.compute


COMPUTE_BOUND_BATCH_PER_CHIP = derivation(
    "compute-bound-batch-per-chip",
    title="Tokens per chip from which the forward pass is compute-bound (overlapped)",
    unit=ONE,
    noun="tokens",
    fractional="a limit, above which the whole numbers of tokens lie",
    letters=ALL,
    uses={"B_max": COMPUTE_BOUND_BATCH_MAX.at()},
    source=SCALING_BOOK_MIXED,
    oracle=tokens_a_chip_computes_meanwhile,
    holds_for={TORUS: "compute-bound-batch-per-shard"},
    convention="Large rings; both transfers and the compute run at the same time (max).",
    chain="""
    B_chip = B_max/(X*Y)                     -- `X*Y` chips share the tokens
      = w*C/(2[FLOP]*Y*W*M_X)              -- the `Y` chips of a shard split its weights too
    """,
)
