"""HSDP: shards inside a group, copies of the group."""

from typing import Any

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import TORCHTITAN_FSDP
from workings.derivations.state._zero_rows import LEAVES_OUT, letters, mean_device
from workings.units import BYTE
from workings.vocabulary.layout import STATE_COPIES


def lay_on_groups(n_r: int, **letters: Any) -> object:
    """Every value dealt to one device of each group, group after group; the mean of all devices."""
    return mean_device(**letters, stage=3, copies=n_r)


HSDP_STATE = derivation(
    "hsdp-state",
    title="Model state of a device under hybrid sharding (HSDP)",
    unit=BYTE,
    letters={**letters(3), "n_r": STATE_COPIES},
    given=("w_c > 0[byte]",),
    source=TORCHTITAN_FSDP,
    oracle=lay_on_groups,
    leaves_out=LEAVES_OUT,
    ledger=(
        Row("working weights", "n_r*w_c*P", "`n_r` groups hold a copy each", "(n_r*N)"),
        Row("gradients", "n_r*w_g*P", "reduced inside a group, then across groups", "(n_r*N)"),
        Row("master weights", "n_r*w_p*P", "every group updates its own copy", "(n_r*N)"),
        Row("first moments", "n_r*w_o*P", "every group updates its own copy", "(n_r*N)"),
        Row("second moments", "n_r*w_o*P", "every group updates its own copy", "(n_r*N)"),
    ),
    chain="""
    S_h = rows                                               -- add the rows
      = n_r*(w_c + w_g + w_p + 2*w_o)*P/(n_r*N)              -- all copies, over all devices
      = (w_c + w_g + w_p + 2*w_o)*P/N                        -- more groups save no memory
    """,
)
