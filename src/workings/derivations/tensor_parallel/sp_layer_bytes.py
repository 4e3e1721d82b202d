"""Sequence parallelism sends what tensor parallelism sends."""

from fractions import Fraction

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.sources import SEQUENCE_PARALLEL
from workings.derivations.tensor_parallel._collectives import ALL_GATHER, REDUCE_SCATTER, ROWS
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel.tp_layer_bytes import TP_LAYER_BYTES
from workings.simulate.tensor_layer import Options
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def run_the_layer_by_tokens(t: int, b_m: int, s: int, c: int, D: int, a: Fraction) -> Fraction | None:
    """A layer run with its activations dealt out by tokens between the split products."""
    ranks = run(t, b_m, s, c, D, Options(sequence_parallel=True))
    return None if ranks is None else ranks.sent() * a


SP_LAYER_BYTES = derivation(
    "sp-layer-bytes",
    title="Bytes a rank sends in one layer under sequence parallelism",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AG": ALL_GATHER, "V_RS": REDUCE_SCATTER, "V_TP": TP_LAYER_BYTES.at()},
    source=SEQUENCE_PARALLEL,
    oracle=run_the_layer_by_tokens,
    convention="One micro-batch, forward and backward; the whole inputs of the split products stay in "
    "memory for the backward pass.",
    leaves_out="The gradients of the norms, summed once a step.",
    ledger=under(ROWS, sequence_parallel=True, forward=True, backward=True),
    holds_for={WITHOUT_EXPERTS: "moe-tp-layer-bytes"},
    chain="""
    V_SP = rows                            -- gather before columns, scatter after rows
      = 4*V_AG + 4*V_RS                    -- four of each
      = 8*(t - 1)/t*(a*b_m*s*D/c)          -- each sends `(t - 1)/t` of the activation
      = V_TP                               -- an all-reduce is a reduce-scatter and an all-gather
    """,
)
