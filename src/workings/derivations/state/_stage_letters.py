"""The letters and the count that the stages of a pipeline share."""

from fractions import Fraction

from workings.derivations.state._sources import MEGATRON_MEMORY
from workings.simulate.stage_placement import held_by_stage, stage_parts
from workings.vocabulary.layout import TP
from workings.vocabulary.model import D_MODEL, NORM_BIAS, POSITIONS, VOCAB
from workings.vocabulary.pipeline import LAYER_COPIED, LAYER_PARAMETERS
from workings.vocabulary.state import FIRST_BLOCKS, LAST_BLOCKS, MIDDLE_BLOCKS

BLOCK = {"P_l": LAYER_PARAMETERS, "R_l": LAYER_COPIED, "t": TP}
TABLE = {"V": VOCAB, "D": D_MODEL}
FIRST = {"L_first": FIRST_BLOCKS, **BLOCK, **TABLE, "n_pos": POSITIONS}
MIDDLE = {"L_mid": MIDDLE_BLOCKS, **BLOCK}
LAST = {"L_last": LAST_BLOCKS, **BLOCK, **TABLE, "beta_n": NORM_BIAS}
GIVEN = ("R_l <= P_l",)
SOURCE = MEGATRON_MEMORY
CONVENTION = (
    "At least two stages. The last stage has a table of its own for the head: untied, or a copy of the "
    "tied embedding. Tensor-parallel ranks have equal shares of what splits, and as many rows of a table "
    "as the rank with most."
)
LEAVES_OUT = "Key and value heads in copies, where there are more ranks than heads."


def stage_values(
    blocks: tuple[int, int, int],
    P_l: int,
    R_l: int,
    t: int,
    V: int,
    D: int,
    n_pos: int = 0,
    beta_n: int = 0,
) -> list[Fraction]:
    """What a rank of the first, of a middle and of the last stage holds, listed tensor by tensor."""
    parts = stage_parts(list(blocks), P_l, V, D, copied=R_l, positions=n_pos, shifts=beta_n)
    return held_by_stage(parts, t)
