"""DualPipe: what a rank holds."""

from workings.derivation import derivation
from workings.derivations.pipeline._sources import DUALPIPE
from workings.simulate.dualpipe import dualpipe
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.pipeline import LAYER_PARAMETERS


def collect_the_stages_of_a_rank(p: int, L: int, P_l: int) -> int | None:
    """DualPipe run task by task, layers dealt from both ends; parameters of all chunks a rank used."""
    if p > 8:
        return None
    ends = [stage for pair in range(p // 2) for stage in (pair, p - 1 - pair)]
    order = ends[::2] + ends[1::2]  # a layer for every pair of stages before a second for any
    layers = [0] * p
    for layer in range(L):
        layers[order[layer % p]] += 1
    run, most = dualpipe(p, 2 * p), 0
    for rank in range(p):
        chunks = {task.chunk for task in run.of(rank)}
        most = max(most, sum(layers[p - 1 - rank if chunk else rank] for chunk in chunks))
    return most * P_l


DUALPIPE_PARAMETERS = derivation(
    "dualpipe-parameters",
    title="Parameters a rank holds with DualPipe",
    unit=ONE,
    noun="parameters",
    letters={"p": STAGES, "L": BLOCKS, "P_l": LAYER_PARAMETERS},
    given=("2 divides p",),
    source=DUALPIPE,
    oracle=collect_the_stages_of_a_rank,
    convention="The fullest rank, layers spread over pairs of stages as evenly as they go: twice what a "
    "rank of another pipeline holds, where `p` divides `L`.",
    leaves_out="Embeddings and head.",
    chain="""
    P_dual = ceil(L/(p/2))*P_l        -- `p/2` pairs of stages, one up and one down: two ranks hold each
      = ceil(2*L/p)*P_l               -- collect
    """,
)
