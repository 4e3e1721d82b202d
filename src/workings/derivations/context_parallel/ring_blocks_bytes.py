"""Blocks that ring attention holds at once."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.context_parallel._letters import ATTENTION, EVEN_HEADS
from workings.derivations.context_parallel._sources import RING_ATTENTION_MEMORY
from workings.simulate.block_matrices import spans
from workings.units import BYTE


def list_every_buffer(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction
) -> Fraction | None:
    """Every buffer of a step, value by value: own queries and output, blocks in use and arriving."""
    if s % c:
        return None
    own, shared = spans(H, t)[0], spans(K, t)[0]
    buffers = {
        "queries": own, "output": own,
        "keys": shared, "values": shared, "next keys": shared, "next values": shared,
    }  # fmt: skip
    tokens = [token for _ in range(b_m) for token in spans(s, c)[0]]
    values = sum(d_h for heads in buffers.values() for _ in tokens for _ in heads)
    return values * a


RING_BLOCKS_BYTES = derivation(
    "ring-blocks-bytes",
    title="Bytes of the blocks that ring attention holds",
    unit=BYTE,
    letters=ATTENTION,
    given=(*EVEN_HEADS, "c divides s"),
    source=RING_ATTENTION_MEMORY,
    oracle=list_every_buffer,
    convention="One layer, one micro-batch, forward. If `K = H` these are six blocks of "
    "`b_m*(s/c)*D` values each: `12*b_m*(s/c)*D` bytes in BF16.",
    leaves_out="The running sums of the softmax; the feed-forward.",
    ledger=(
        Row("queries", "a*b_m*(s/c)*H*d_h", "a rank's own", split="t"),
        Row("output", "a*b_m*(s/c)*H*d_h", "of the same shape", split="t"),
        Row("keys and values in use", "2*a*b_m*(s/c)*K*d_h", "of one rank", split="t"),
        Row("keys and values arriving", "2*a*b_m*(s/c)*K*d_h", "of the next", split="t"),
    ),
    chain="""
    M_ring = rows                                   -- six blocks
      = 2*a*b_m*(s/c)*d_h*(H + 2*K)/t               -- collect: falls with `c`
    """,
)  # fmt: skip
