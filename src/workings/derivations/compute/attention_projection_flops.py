"""FLOPs of a block's projections to queries, keys, values and back."""

from workings.derivation import derivation
from workings.derivations.compute._letters import ATTENTION, SEQUENCES
from workings.derivations.compute._sources import SCALING_BOOK_ACCOUNTING
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.simulate.counted_attention import merge_batch, project_batch
from workings.units import FLOP


def project_every_sequence(b: int, s: int, D: int, H: int, K: int, d_h: int) -> int | None:
    """Every sequence multiplied by the weights of each head in turn, each FLOP counted."""
    if b * s * D * d_h * (H + K) > 40_000:
        return None
    heads = [d_h] * H + [d_h] * K + [d_h] * K
    return project_batch(b, s, D, heads) + merge_batch(b, s, D, H * d_h)


ATTENTION_PROJECTION_FLOPS = derivation(
    "attention-projection-flops",
    title="FLOPs of attention's projections, forward",
    unit=FLOP,
    letters={**SEQUENCES, **ATTENTION},
    uses={
        "f_q": MATMUL_FLOPS.at(B="b*s", F="H*d_h"),
        "f_kv": MATMUL_FLOPS.at(B="b*s", F="K*d_h"),
        "f_o": MATMUL_FLOPS.at(B="b*s", D="H*d_h", F="D"),
    },
    source=SCALING_BOOK_ACCOUNTING,
    oracle=project_every_sequence,
    convention="Grouped-query attention: `K = H` is multi-head, `K = 1` multi-query.",
    leaves_out="Biases, and turning queries and keys by their position.",
    chain="""
    f_proj = f_q + 2*f_kv + f_o              -- queries; keys and values; output
      = 2[FLOP]*b*s*D*H*d_h + 2*(2[FLOP]*b*s*D*K*d_h) + 2[FLOP]*b*s*H*d_h*D
                                             -- four products with every token
      = 4[FLOP]*b*s*D*d_h*(H + K)            -- collect
    """,
)
