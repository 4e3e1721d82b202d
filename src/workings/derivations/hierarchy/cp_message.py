"""What context-parallel ranks gather."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._sources import LLAMA3_CONTEXT
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE
from workings.vocabulary.layout import TP
from workings.vocabulary.model import HEAD_DIM, KV_HEADS
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH


def list_keys_and_values(b_m: int, s: int, K: int, d_h: int, a: Fraction, t: int) -> Fraction:
    """The key and value tensors of a micro-batch, shared by the tensor-parallel ranks."""
    tensors = [Tensor(name, (b_m, s, K, d_h), a) for name in ("keys", "values")]
    return total_bytes(tensors) / t


CP_MESSAGE = derivation(
    "cp-message",
    title="Context-parallel message",
    unit=BYTE,
    letters={
        "b_m": MICROBATCH,
        "s": SEQUENCE_LENGTH,
        "K": KV_HEADS,
        "d_h": HEAD_DIM,
        "a": ACTIVATION_WIDTH,
        "t": TP,
    },
    given=("t divides K",),
    source=LLAMA3_CONTEXT,
    oracle=list_keys_and_values,
    convention="The whole message of the all-gather, one rank's keys and values of all positions.",
    chain="""
    S_cp = b_m*s*K*d_h*a/t + b_m*s*K*d_h*a/t     -- keys and values, split over tensor-parallel ranks
      = 2*b_m*s*K*d_h*a/t                        -- equally large
    """,
)
