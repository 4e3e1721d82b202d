"""What one of t ranks computes in a layer's forward pass."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.tensor_parallel._letters import LAYER
from workings.derivations.tensor_parallel._sources import MEGATRON_SPLIT
from workings.derivations.tensor_parallel._work import forward_flops
from workings.units import FLOP
from workings.vocabulary.kinds import WITHOUT_LATENT


def write_down_every_ranks_products(
    t: int, b_m: int, s: int, c: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int
) -> Fraction | None:
    """Heads and hidden columns dealt out; every product of every rank written down and counted."""
    return forward_flops(t, b_m, s, c, D, H, K, d_h, F, n_f)


TP_LAYER_FLOPS = derivation(
    "tp-layer-flops",
    title="FLOPs of one tensor-parallel rank in a layer, forward",
    unit=FLOP,
    fractional="ranks with uneven shares count by their mean",
    letters=LAYER,
    given=("c divides s",),
    source=MEGATRON_SPLIT,
    oracle=write_down_every_ranks_products,
    convention="One micro-batch; full attention (what a causal mask hides is computed too).",
    leaves_out="Norms, residuals, the softmax and the activation function; copies of key and value heads "
    "where there are fewer of them than ranks.",
    ledger=(
        Row("queries and output", "2*(2[FLOP]*b_m*(s/c)*D*H*d_h)", "heads are split", split="t"),
        Row("keys and values", "2*(2[FLOP]*b_m*(s/c)*D*K*d_h)", "heads are split", split="t"),
        Row("scores and weighted values", "2*(2[FLOP]*b_m*(s/c)*s*H*d_h)",
            "own tokens with all tokens", split="t"),
        Row("feed-forward", "n_f*(2[FLOP]*b_m*(s/c)*D*F)", "hidden columns are split", split="t"),
    ),
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    f_TP = rows                               -- every product is split over the `t` ranks
      = b_m*s/(c*t)*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)
                                              -- tokens of a rank, times FLOPs a token
    """,
)  # fmt: skip
