"""What runs between a block's products.

Norms, the activation function and residual additions read and write every value of a token for a few
FLOPs each, so they take the time of their bytes. A product does as many FLOPs for a value as the model
is wide. What the kernels between take beside the products therefore falls as a model grows wider, and no
batch changes it: small models lose much of their time there, large ones little.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.compute._model import model_tape
from workings.derivations.compute.attention import ATTENTION_PROJECTION_FLOPS
from workings.derivations.compute.feed_forward import FFN_FLOPS
from workings.derivations.roofline._sources import KIPPLY
from workings.derivations.roofline.device import DEVICE
from workings.simulate.memory_traffic import run_between_products
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.model import D_MODEL, FFN_MATRICES, HEAD_DIM, HEADS, KV_HEADS, TOKEN_WIDTH
from workings.vocabulary.roofline import PRODUCT_TOKENS
from workings.vocabulary.training import ACTIVATION_WIDTH

WIDTHS = {"D": D_MODEL, "F": TOKEN_WIDTH, "n_f": FFN_MATRICES}


def move_between_products(B: int, D: int, F: int, n_f: int, a: Fraction) -> Fraction:
    """A block's norms, activation function and residuals run one after the other; all that moved."""
    only_if(B * (D + F) <= 2_000)
    return run_between_products(B, D, F, n_f, a).moved


BLOCK_ELEMENTWISE_BYTES = derivation(
    "block-elementwise-bytes",
    title="Bytes that a block's norms, activation function and residuals move, forward",
    phrases="memory traffic between matmuls; intermediate memory costs of a layer; reads and writes of "
    "layer norms and residual adds; bandwidth of non-matmul ops in a block; GELU or SwiGLU kernel "
    "bytes; unfused elementwise traffic of a transformer layer",
    unit=BYTE,
    letters={"B": PRODUCT_TOKENS, **WIDTHS, "a": ACTIVATION_WIDTH},
    source=KIPPLY,
    oracle=move_between_products,
    convention="Each of two norms, the activation function and two residual additions is a kernel of "
    "its own that reads its inputs and writes its result once. A gated feed-forward's function and "
    "product are one.",
    leaves_out="Attention's softmax, which is fused with its products; the gains of the norms; dropout.",
    chain="""
    V_el = 2*(a*B*D + a*B*D) + (sum(a*B*F, (i, 1, n_f - 1)) + a*B*F) + 2*(2*a*B*D + a*B*D)
                                             -- norms; what leads to the wide space, made one; residuals
      = a*B*(10*D + n_f*F)                   -- collect
    """,
)


def race_kernels_and_products(
    B: int, D: int, F: int, n_f: int, H: int, K: int, d_h: int, a: Fraction, C: Fraction, W_m: Fraction
) -> Fraction:
    """A block's kernels on each value timed by the memory's clock, its products by the chip's."""
    only_if(B * (D + F) <= 2_000)
    tape = model_tape(s=B, D=D, F=F, n_f=n_f, H=H, K=K, d_h=d_h)
    products = tape.forward("projections", "ffn") / C
    return run_between_products(B, D, F, n_f, a).moved / W_m / products


ELEMENTWISE_TIME_SHARE = like(
    "elementwise-time-share",
    BLOCK_ELEMENTWISE_BYTES,
    title="Time of a block's norms, activation function and residuals over that of its products",
    phrases="share of memory-bound intermediate steps; overhead of elementwise kernels beside matmuls; "
    "why small models have low MFU; layer norm and GELU time relative to GEMMs; elementwise cost falls "
    "with embedding size; fraction of block latency outside matmuls; do memory-bound ops matter in "
    "bigger models",
    unit=ONE,
    letters={
        "B": PRODUCT_TOKENS,
        **WIDTHS,
        "H": HEADS,
        "K": KV_HEADS,
        "d_h": HEAD_DIM,
        "a": ACTIVATION_WIDTH,
        **DEVICE,
    },
    uses={
        "V_el": BLOCK_ELEMENTWISE_BYTES.at(),
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(b="1", s="B"),
        "f_ffn": FFN_FLOPS.at(),
    },
    oracle=race_kernels_and_products,
    convention="Kernels on each value wait for memory, products with weights for arithmetic, both at "
    "their peak; nothing is fused. A model of one shape and `k` times the width has a `k`-th of it.",
    leaves_out="Attention's scores and values; small batches, whose products wait for memory too.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    r_el = (V_el/W_m)/((f_proj + f_ffn)/C)   -- bytes at the memory's rate, FLOPs at the chip's
      = a*B*(10*D + n_f*F)*C/(W_m*(4[FLOP]*B*D*d_h*(H + K) + 2[FLOP]*n_f*B*D*F))
                                             -- put them in
      = a*C*(10*D + n_f*F)/(2[FLOP]*W_m*D*(2*d_h*(H + K) + n_f*F))     -- the tokens cancel
    """,
)
