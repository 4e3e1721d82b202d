"""What data parallelism divides: the work."""

from workings.derivation import derivation
from workings.derivations.data_parallel._tokens import backward_flops, forward_flops
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.units import FLOP
from workings.vocabulary.layout import DP
from workings.vocabulary.model import ACTIVE_PARAMETERS
from workings.vocabulary.training import TOKENS


def deal_tokens_out(B: int, P: int, d: int) -> int:
    """Tokens dealt out to the devices in turn; the products of the first device counted."""
    return sum(forward_flops(P) + backward_flops(P) for _ in range(0, B, d))


DATA_PARALLEL_FLOPS = derivation(
    "data-parallel-flops",
    title="FLOPs of a device in a step of data parallelism",
    unit=FLOP,
    letters={"B": TOKENS, "P": ACTIVE_PARAMETERS, "d": DP},
    given=("d divides B",),
    source=SCALING_BOOK_FLOPS,
    oracle=deal_tokens_out,
    convention="Matrix products of the parameters only: 2 FLOPs a token forward, 4 backward.",
    leaves_out="Attention's products of activations, recomputation.",
    chain="""
    F_dp = sum(2[FLOP]*P + 4[FLOP]*P, (i, 1, B/d))     -- forward and backward of its share of tokens
      = 6[FLOP]*P*(B/d)                                -- `1/d` of the work, of all the memory
    """,
)
