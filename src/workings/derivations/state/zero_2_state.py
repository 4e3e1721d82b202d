"""ZeRO stage 2: what one device holds."""

from typing import Any

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.state._sources import ZERO_STAGES
from workings.derivations.state._zero_rows import CONVENTION, LEAVES_OUT, ROWS, letters, mean_device
from workings.units import BYTE


def lay_on_devices(**letters: Any) -> object:
    """Optimizer values and gradients dealt out, weights laid on all devices; the mean of all devices."""
    return mean_device(**letters, stage=2)


ZERO_2_STATE = derivation(
    "zero-2-state",
    title="Model state of a device under ZeRO stage 2",
    unit=BYTE,
    letters=letters(2),
    given=("w_c > 0[byte]",),
    source=ZERO_STAGES,
    oracle=lay_on_devices,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    ledger=under(ROWS, stage=2),
    chain="""
    S_2 = rows                                              -- add the rows
      = w_c*P + (w_g + w_p + 2*w_o)*P/N                  -- gradients are shared too
      >= w_c*P                                           -- what no group, however large, can save
    """,
)
