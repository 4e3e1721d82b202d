"""DualPipe: what a rank holds."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import DUALPIPE
from workings.simulate.dualpipe import dualpipe
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.pipeline import LAYER_PARAMETERS


def collect_the_stages_of_a_rank(p: int, L: int, P_l: int) -> Fraction | None:
    """DualPipe run task by task; parameters of every chunk that the first rank ever used."""
    if p > 8:
        return None
    chunks = {task.chunk for task in dualpipe(p, 2 * p).of(0)}
    stages = [[layer for layer in range(L) if layer * p // L == stage] for stage in range(p)]
    held = [stages[0] if chunk == 0 else stages[p - 1] for chunk in chunks]
    return Fraction(sum(P_l for layers in held for _ in layers))


DUALPIPE_PARAMETERS = derivation(
    "dualpipe-parameters",
    title="Parameters a rank holds with DualPipe",
    unit=ONE,
    noun="parameters",
    letters={"p": STAGES, "L": BLOCKS, "P_l": LAYER_PARAMETERS},
    given=("2 divides p", "p divides L"),
    source=DUALPIPE,
    oracle=collect_the_stages_of_a_rank,
    leaves_out="Embeddings and head.",
    chain="""
    P_dual = L/p*P_l + L/p*P_l        -- a stage for micro-batches going up, another for those going down
      = 2*(L*P_l/p)                   -- twice what a rank of another pipeline holds
    """,
)
