"""The most that a rank holds without a pipeline."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._head import GIVEN, head_tape
from workings.derivations.activations._peak import BUFFERS, HEAD, LEAVES_OUT
from workings.derivations.activations._sources import ENDS
from workings.derivations.activations.head_activations import HEAD_ACTIVATIONS
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import TP
from workings.vocabulary.model import BLOCKS, PARAMETERS
from workings.vocabulary.state import STATE_WIDTH
from workings.vocabulary.training import MICROBATCHES


def run_the_step(
    A: Fraction, L: int, P: int, w_s: Fraction, m: int, M_back: Fraction, M_step: Fraction, **head: Any
) -> Fraction | None:
    """The step run micro-batch by micro-batch, memory taken and given back task by task; its peak."""
    tape = head_tape(**head)
    if tape is None:
        return None
    memory = Memory(
        before=w_s * Fraction(P, head["t"]),
        forward=sum((A for _ in range(L)), tape.bytes),
        backward=M_back + tape.saved[-1].bytes,
        step=M_step,
    )
    return peaks([one_f_one_b_order(1, 0, m)], [memory])[0]


PEAK_MEMORY_ONE_STAGE = derivation(
    "peak-memory-one-stage",
    title="Peak memory of a rank without a pipeline",
    unit=BYTE,
    letters={
        "L": BLOCKS, "P": PARAMETERS, **HEAD, "A": KEPT_BY_BLOCK, "w_s": STATE_WIDTH, "t": TP,
        "m": MICROBATCHES, **BUFFERS,
    },
    uses={"A_head": HEAD_ACTIVATIONS.at()},
    given=GIVEN,
    source=ENDS,
    oracle=run_the_step,
    convention="Micro-batches one after the other. `A` is the reading of the block's ledger that "
    "applies, `w_s` what one rank holds of a parameter's state, such as `16[byte]/N`. The loss keeps "
    "logits and writes gradients as wide beside them.",
    leaves_out=LEAVES_OUT,
    chain="""
    M_one = max(w_s*P/t + L*A + A_head + w_l*s*b_m*V/(t*c) + M_back, w_s*P/t + M_step)
                                   -- all blocks kept, logits and their gradients; the optimizer step
      = w_s*P/t + max(L*A + A_head + w_l*s*b_m*V/(t*c) + M_back, M_step)
                                   -- state is there at both moments, one micro-batch at a time
    """,
)  # fmt: skip
