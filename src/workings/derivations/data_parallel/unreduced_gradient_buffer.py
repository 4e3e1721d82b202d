"""What it costs to reduce gradients once a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import VOLUME
from workings.derivations.data_parallel._sources import FSDP_ACCUMULATION
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import ZERO_1, ZERO_2
from workings.units import BYTE
from workings.vocabulary.training import GRADIENT_WIDTH, MICROBATCHES


def hold_both_buffers(P: int, d: int, m: int, w_g: Fraction) -> Fraction:
    """What real steps hold between micro-batches, reducing at the end and reducing each time."""
    return (one_row(d, m, ZERO_1).held - one_row(d, m, ZERO_2).held) * w_g * P


UNREDUCED_GRADIENT_BUFFER = derivation(
    "unreduced-gradient-buffer",
    title="Memory that gradients take until they are reduced",
    unit=BYTE,
    letters={**VOLUME, "m": MICROBATCHES, "w_g": GRADIENT_WIDTH},
    source=FSDP_ACCUMULATION,
    oracle=hold_both_buffers,
    convention="Above the gradients of its own shard, which a device holds in any case.",
    chain="""
    G_buf = w_g*P - w_g*P/d        -- all gradients instead of one shard's, between micro-batches
      = (d - 1)/d*w_g*P            -- collect
      <= w_g*P                     -- `d - 1 < d`
      ≈ [d -> oo] w_g*P            -- a whole model of gradients
    """,
)
