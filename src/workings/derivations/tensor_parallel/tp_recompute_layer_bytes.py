"""Full recomputation repeats the forward pass's all-reduces."""

from fractions import Fraction

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE, ROWS
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON_SPLIT
from workings.simulate.tensor_layer import Options
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def run_the_layer_twice(t: int, b_m: int, s: int, c: int, D: int, a: Fraction) -> Fraction | None:
    """A layer run forward, forward again and backward on split weights, its sends counted."""
    ranks = run(t, b_m, s, c, D, Options(recompute=True))
    return None if ranks is None else ranks.sent() * a


TP_RECOMPUTE_LAYER_BYTES = derivation(
    "tp-recompute-layer-bytes",
    title="Bytes a rank sends in one layer under tensor parallelism, fully recomputed",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AR": ALL_REDUCE},
    given=("c divides s",),
    source=MEGATRON_SPLIT,
    oracle=run_the_layer_twice,
    convention="The whole layer runs forward again, its last all-reduce included, although nothing "
    "backward needs the layer's output.",
    ledger=under(ROWS, sequence_parallel=False, forward=True, backward=True, recompute=True),
    holds_for={WITHOUT_EXPERTS: "moe-tp-recompute-layer-bytes"},
    chain="""
    V_TPr = rows                           -- forward, forward again, backward
      = 6*V_AR                             -- two all-reduces each
      = 12*(t - 1)/t*(a*b_m*s*D/c)         -- half as much again as without recomputation
    """,
)
