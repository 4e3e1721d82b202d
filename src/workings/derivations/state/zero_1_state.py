"""ZeRO stage 1: what one device holds."""

from typing import Any

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.state._sources import ZERO_STAGES
from workings.derivations.state._zero_rows import CONVENTION, LEAVES_OUT, ROWS, letters, mean_device
from workings.units import BYTE


def lay_on_devices(**letters: Any) -> object:
    """Optimizer values dealt out, the rest laid on all devices; the mean of all devices."""
    return mean_device(**letters, stage=1)


ZERO_1_STATE = derivation(
    "zero-1-state",
    title="Model state of a device under ZeRO stage 1",
    unit=BYTE,
    letters=letters(1),
    given=("w_c > 0[byte]",),
    source=ZERO_STAGES,
    oracle=lay_on_devices,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    ledger=under(ROWS, stage=1),
    chain="""
    S_1 = rows                                              -- add the rows
      = (w_c + w_g)*P + (w_p + 2*w_o)*P/N                -- only the optimizer state is shared
      >= (w_c + w_g)*P                                   -- what no group, however large, can save
    """,
)
