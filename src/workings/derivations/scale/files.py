"""What is stored.

Weights alone are enough to use a model. Going on with its training takes the master weights and both
moments too, while gradients and working copies are made anew.
"""

from fractions import Fraction
from io import BytesIO

from workings.derivation import derivation
from workings.derivation.chain import Row
from workings.derivations.scale.runs import SCALING_BOOK_LLAMA
from workings.derivations.sources import ZERO
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.training import GATHER_WIDTH, MASTER_WIDTH, MOMENT_WIDTH


def write_every_weight(P: int, w: Fraction) -> Fraction:
    """A file really written weight by weight, in pieces of a byte where `w` is no whole number."""
    file, pieces = BytesIO(), w.denominator
    for weight in range(P):
        file.write(bytes([weight % 256]) * int(w * pieces))
    return Fraction(file.tell(), pieces)


WEIGHTS_BYTES = derivation(
    "weights-bytes",
    title="Bytes of the weights alone",
    phrases="16-bit weights in bytes; half-precision weights; "
    "storage of a model in bf16, fp16 or int8; "
    "bytes of the weights of many fine-tuned models; "
    "weight file size; bf16 model size in GB; 2 bytes per parameter; VRAM for weights only; how "
    "big is a 70B download; how many gigabytes is a 7B model; model weights on disk; GPU memory to load "
    "a model; memory for inference weights",
    unit=BYTE,
    letters={"P": PARAMETERS, "w": GATHER_WIDTH},
    source=SCALING_BOOK_LLAMA,
    oracle=write_every_weight,
    convention="Enough to use the model, not to go on training it.",
    chain="""
    S_w = sum(w, (i, 1, P))                  -- weight after weight
      = w*P                                  -- 2 bytes a parameter in BF16
    """,
)


def write_every_value(P: int, w_p: Fraction, w_o: Fraction) -> Fraction:
    """The file written parameter by parameter: master weight, first moment, second moment."""
    file = Fraction(0)
    for _ in range(P):
        for width in (w_p, w_o, w_o):
            file += width
    return file


CHECKPOINT_BYTES = derivation(
    "checkpoint-bytes",
    title="Bytes of a checkpoint that training resumes from",
    phrases="checkpoint size; resumable save with optimizer state; 12 bytes per parameter on disk; how "
    "much storage for checkpoints; fp32 master and moments saved to file; how many gigabytes per "
    "checkpoint; dist_checkpointing size; how large is save_checkpoint output; 14 bytes per parameter "
    "on disk",
    unit=BYTE,
    letters={"P": PARAMETERS, "w_p": MASTER_WIDTH, "w_o": MOMENT_WIDTH},
    source=ZERO,
    oracle=write_every_value,
    convention="Gradients and working copies of the weights are not saved: both are made anew.",
    leaves_out="Positions in the data, random states and the schedule: a few bytes.",
    ledger=(
        Row("weights", "w_p*P", "the master copy"),
        Row("first moments", "w_o*P", "AdamW's running mean of the gradient"),
        Row("second moments", "w_o*P", "AdamW's running mean of its square"),
    ),
    chain="""
    S_ckpt = rows                            -- add the rows
      = (w_p + 2*w_o)*P                      -- 12 bytes a parameter in FP32
    """,
)
