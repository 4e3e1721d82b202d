"""PaLM's model FLOPs a token."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute._sources import PALM
from workings.derivations.compute.attention_core_flops import ATTENTION_CORE_FLOPS
from workings.simulate.products import Tape, write_attention
from workings.simulate.steps import touch_weights
from workings.units import FLOP
from workings.vocabulary.model import ACTIVE_PARAMETERS, BLOCKS, HEAD_DIM, HEADS
from workings.vocabulary.training import SEQUENCE_LENGTH


def train_one_token(P: int, L: int, H: int, d_h: int, s: int) -> Fraction:
    """Every weight met by one token in three passes, and its part of all scores and values."""
    tape = Tape()
    for _ in range(L):
        write_attention(tape, s, 1, (H, H, d_h))
    core = Tape()
    core.products = [product for product in tape.products if product.part == "core"]
    return touch_weights(P, 1) + Fraction(core.forward() + core.backward(), s)


PALM_FLOPS_PER_TOKEN = derivation(
    "palm-flops-per-token",
    title="Model FLOPs of a token, trained (PaLM's formula)",
    unit=FLOP,
    letters={"P": ACTIVE_PARAMETERS, "L": BLOCKS, "H": HEADS, "d_h": HEAD_DIM, "s": SEQUENCE_LENGTH},
    uses={"f_core": ATTENTION_CORE_FLOPS.at(b="1")},
    source=PALM,
    oracle=train_one_token,
    convention="PaLM counts every parameter, its tied embedding included, and full attention; "
    "recomputation is not counted. MFU is measured in these FLOPs.",
    chain="""
    f_tok = 6[FLOP]*P + 3*L*f_core/s         -- 6 a weight; a part of the core, forward and back
      = 6[FLOP]*P + 3*L*(4[FLOP]*s^2*H*d_h)/s     -- one sequence's core
      = 6[FLOP]*P + 12[FLOP]*L*H*d_h*s       -- cancel `s`
    """,
)
