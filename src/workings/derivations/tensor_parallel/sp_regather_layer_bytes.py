"""What practice adds to sequence parallelism: inputs kept by tokens are gathered again."""

from fractions import Fraction

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_GATHER, REDUCE_SCATTER, ROWS
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import SEQUENCE_PARALLEL_EXTRA
from workings.simulate.tensor_layer import Options
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def run_the_layer_keeping_shards(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction
) -> Fraction | None:
    """A layer whose ranks keep their tokens of each input and gather it again for its gradient."""
    ranks = run(t, b_m, s, c, D, Options(sequence_parallel=True, regather=True))
    return None if ranks is None else ranks.sent() * a


SP_REGATHER_LAYER_BYTES = derivation(
    "sp-regather-layer-bytes",
    title="Bytes a rank sends in one layer under sequence parallelism, inputs gathered again",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AG": ALL_GATHER, "V_RS": REDUCE_SCATTER},
    given=("c divides s",),
    source=SEQUENCE_PARALLEL_EXTRA,
    oracle=run_the_layer_keeping_shards,
    convention="One micro-batch, forward and backward, as Megatron-LM runs it: ranks keep only their "
    "tokens of the two inputs and gather them again for the weights' gradients.",
    leaves_out="The gradients of the norms, summed once a step.",
    ledger=under(ROWS, sequence_parallel=True, forward=True, backward=True, regather=True),
    holds_for={WITHOUT_EXPERTS: "moe-sp-regather-layer-bytes"},
    chain="""
    V_SPg = rows                           -- two more all-gathers than without
      = 6*V_AG + 4*V_RS                    -- ten passes over the activation
      = 10*(t - 1)/t*(a*b_m*s*D/c)         -- against 8 with four all-reduces
    """,
)
