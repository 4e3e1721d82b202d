"""The overlapped threshold of one FSDP shard."""

from workings.derivation import derivation
from workings.derivations.mesh._times import spread_block
from workings.derivations.mesh.compute_bound_batch_gather import COMPUTE_BOUND_BATCH_GATHER
from workings.derivations.sources import SCALING_BOOK_FSDP
from workings.units import ONE


def tokens_that_break_even(X: int, Y: int, **letters: object) -> object:
    """One token's compute on one FSDP shard, and how many such tokens last one gather."""
    one = spread_block(X=X, n=X * Y, M_Y=1, a=1, **{**letters, "B": 1})  # type: ignore[arg-type]
    return one.fsdp / (one.compute * X)


COMPUTE_BOUND_BATCH_PER_SHARD = derivation(
    "compute-bound-batch-per-shard",
    title="Tokens per FSDP shard from which compute hides the gathers of the weights",
    unit=ONE,
    noun="tokens",
    fractional="a limit, above which the whole numbers of tokens lie",
    letters=COMPUTE_BOUND_BATCH_GATHER.letters,
    uses={"B_F": COMPUTE_BOUND_BATCH_GATHER.at()},
    source=SCALING_BOOK_FSDP,
    oracle=tokens_that_break_even,
    convention="Large ring; gathers and compute run at the same time.",
    chain="""
    B_X = B_F/X                              -- `X` shards share the tokens
      = w*C/(2[FLOP]*W*M_X)                -- `X` cancels: the threshold is a shard's
    """,
)
