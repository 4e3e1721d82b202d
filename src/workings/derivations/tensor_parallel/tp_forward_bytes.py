"""Two all-reduces in a layer's forward pass."""

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


def run_the_layer_forward(t: int, b_m: int, s: int, c: int, D: int, a: Fraction) -> Fraction | None:
    """A layer run on split weights; what a rank sends until its output is there is counted."""
    ranks = run(t, b_m, s, c, D, Options())
    if ranks is None:
        return None
    return sum((op.sent for op in ranks.ops if op.call.endswith("forward")), Fraction(0)) * a


TP_FORWARD_BYTES = derivation(
    "tp-forward-bytes",
    title="Bytes a rank sends in one layer's forward pass under tensor parallelism",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AR": ALL_REDUCE},
    given=("c divides s",),
    source=MEGATRON_SPLIT,
    oracle=run_the_layer_forward,
    convention="One micro-batch; ring all-reduces.",
    ledger=under(ROWS, sequence_parallel=False, forward=True),
    holds_for={WITHOUT_EXPERTS: "moe-tp-forward-bytes"},
    chain="""
    V_fwd = rows                           -- attention's output and the feed-forward's
      = 2*V_AR                             -- each summed by an all-reduce
      = 4*(t - 1)/t*(a*b_m*s*D/c)          -- `2*(t - 1)/t` of the activation each
    """,
)
