"""ZeRO stage 3: what one device holds."""

from typing import Any

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.state._sources import ZERO_STAGES
from workings.derivations.state._zero_rows import CONVENTION, LEAVES_OUT, ROWS, letters, mean_device
from workings.units import BYTE


def lay_on_devices(**letters: Any) -> object:
    """Every value dealt to one device of the group; the mean of all devices."""
    return mean_device(**letters, stage=3)


ZERO_3_STATE = derivation(
    "zero-3-state",
    title="Model state of a device under ZeRO stage 3 (FSDP)",
    unit=BYTE,
    letters=letters(3),
    given=("w_c > 0[byte]",),
    source=ZERO_STAGES,
    oracle=lay_on_devices,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    ledger=under(ROWS, stage=3),
    chain="""
    S_3 = rows                                              -- add the rows
      = (w_c + w_g + w_p + 2*w_o)*P/N                    -- everything is shared
    """,
)
