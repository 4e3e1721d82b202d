"""Four all-reduces a layer: two forward, two backward."""

from fractions import Fraction

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE, ROWS
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON_VOLUME
from workings.simulate.tensor_layer import Options
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def run_the_layer(t: int, b_m: int, s: int, c: int, D: int, a: Fraction) -> Fraction | None:
    """A layer run forward and backward on split weights; what a rank sends is counted."""
    ranks = run(t, b_m, s, c, D, Options())
    return None if ranks is None else ranks.sent() * a


TP_LAYER_BYTES = derivation(
    "tp-layer-bytes",
    title="Bytes a rank sends in one layer under tensor parallelism",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AR": ALL_REDUCE},
    given=("c divides s",),
    source=MEGATRON_VOLUME,
    oracle=run_the_layer,
    convention="One micro-batch, forward and backward; ring all-reduces; activations and their gradients "
    "take `a` bytes a value.",
    leaves_out="Embedding and loss, which only the first and the last stage have.",
    ledger=under(ROWS, sequence_parallel=False, forward=True, backward=True),
    holds_for={WITHOUT_EXPERTS: "moe-tp-layer-bytes"},
    chain="""
    V_TP = rows                            -- four products leave sums in parts
      = 4*V_AR                             -- each summed by an all-reduce
      = 8*(t - 1)/t*(a*b_m*s*D/c)          -- `2*(t - 1)/t` of the activation each
      <= 8*(a*b_m*s*D/c)                   -- `t - 1 < t`: more ranks do not send less
    """,
)
