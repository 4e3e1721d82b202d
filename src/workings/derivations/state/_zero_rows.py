"""One ledger of a device's model state, read at each of ZeRO's stages."""

from collections.abc import Mapping
from typing import Any

from workings.chain import Row
from workings.derivations.state._recipe import LETTERS as RECIPE
from workings.derivations.state._recipe import values
from workings.simulate.stored_state import mean, place
from workings.vocabulary.concept import Concept
from workings.vocabulary.layout import STATE_RANKS
from workings.vocabulary.state import (
    HELD,
    HELD_1,
    HELD_2,
    HELD_3,
    STATE_RANKS_1,
    STATE_RANKS_2,
    STATE_RANKS_3,
)

# What a device holds, and the stage from which the group shares it.
_HELD = (
    ("working weights", "w_c*P", 3),
    ("gradients", "w_g*P", 2),
    ("master weights", "w_p*P", 1),
    ("first moments", "w_o*P", 1),
    ("second moments", "w_o*P", 1),
)
ROWS = tuple(
    Row(name, amount, f"shared by `N` from stage {first}" if stage >= first else "whole on each device",
        "N" if stage >= first else "1", when=(("stage", stage),))
    for stage in range(4) for name, amount, first in _HELD
)  # fmt: skip
_PARAMETERS = (HELD, HELD_1, HELD_2, HELD_3)
_RANKS = (STATE_RANKS, STATE_RANKS_1, STATE_RANKS_2, STATE_RANKS_3)


def letters(stage: int) -> Mapping[str, Concept]:
    """The letters at a stage: a scenario gives those of the rank that keeps most there."""
    return {**RECIPE, "P": _PARAMETERS[stage], "N": _RANKS[stage]}


CONVENTION = (
    "`P` counts the parameters a rank holds after tensor, pipeline and expert parallelism, `N` the "
    "ranks that hold the same ones: `d*c`, or those of one copy under hybrid sharding. "
    "The master weights count as optimizer state, so a recipe without a working copy has none to keep "
    "whole. Shards are even; parameters that do not divide by `N` are counted as their mean."
)
LEAVES_OUT = "Buffers of weights gathered or gradients reduced for the layer at work."

_SHARDED = {
    0: (),
    1: ("master", "first moment", "second moment"),
    2: ("master", "first moment", "second moment", "gradient"),
    3: ("master", "first moment", "second moment", "gradient", "working"),
}


def mean_device(N: int, *, stage: int, copies: int = 1, **letters: Any) -> object:
    """Every value laid on the devices that hold it at this stage; the mean of all devices."""
    return mean(place(values(**letters), N, _SHARDED[stage], copies))
