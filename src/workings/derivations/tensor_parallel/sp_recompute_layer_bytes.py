"""Full recomputation under sequence parallelism."""

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


def run_the_layer_by_tokens_twice(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction
) -> Fraction | None:
    """A layer dealt out by tokens, run forward, forward again and backward, its sends counted."""
    ranks = run(t, b_m, s, c, D, Options(sequence_parallel=True, regather=True, recompute=True))
    return None if ranks is None else ranks.sent() * a


SP_RECOMPUTE_LAYER_BYTES = derivation(
    "sp-recompute-layer-bytes",
    title="Bytes a rank sends in one layer under sequence parallelism, fully recomputed",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AG": ALL_GATHER, "V_RS": REDUCE_SCATTER},
    given=("c divides s",),
    source=SEQUENCE_PARALLEL_EXTRA,
    oracle=run_the_layer_by_tokens_twice,
    convention="As Megatron-LM runs it: ranks keep only their tokens of the two inputs, also in the "
    "recomputed forward pass, and gather them again for the weights' gradients.",
    ledger=under(
        ROWS, sequence_parallel=True, forward=True, backward=True, regather=True, recompute=True
    ),
    holds_for={WITHOUT_EXPERTS: "moe-sp-recompute-layer-bytes"},
    chain="""
    V_SPr = rows                           -- forward, forward again, backward
      = 8*V_AG + 6*V_RS                    -- four passes, four again, six
      = 14*(t - 1)/t*(a*b_m*s*D/c)         -- against 10 without recomputation
    """,
)
