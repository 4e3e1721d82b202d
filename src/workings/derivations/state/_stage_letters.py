"""The letters and the count that the stages of a pipeline share."""

from workings.derivations.state._sources import MEGATRON_MEMORY
from workings.simulate.stage_placement import parameters_of, stage_parts
from workings.vocabulary.layout import TP
from workings.vocabulary.model import D_MODEL, VOCAB
from workings.vocabulary.pipeline import LAYER_PARAMETERS
from workings.vocabulary.state import FIRST_BLOCKS, LAST_BLOCKS, MIDDLE_BLOCKS

BLOCK = {"P_l": LAYER_PARAMETERS, "t": TP}
TABLE = {"V": VOCAB, "D": D_MODEL}
FIRST = {"L_first": FIRST_BLOCKS, **BLOCK, **TABLE}
MIDDLE = {"L_mid": MIDDLE_BLOCKS, **BLOCK}
LAST = {"L_last": LAST_BLOCKS, **BLOCK, **TABLE}
SOURCE = MEGATRON_MEMORY
CONVENTION = (
    "At least two stages. The last stage has a table of its own for the head: untied, or a copy of the "
    "tied embedding."
)
LEAVES_OUT = "Norms and biases that every tensor-parallel rank keeps whole."


def stage_values(first: int, middle: int, last: int, P_l: int, V: int, D: int) -> list[int]:
    """Count the parameters of the first, of a middle and of the last stage, tensor by tensor."""
    return [parameters_of(parts) for parts in stage_parts([first, middle, last], P_l, V, D)]
