"""How much of its reduce-scatter attention's output product hides, chunk by chunk."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._letters import SPEEDS, SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import NEMO_OVERLAP
from workings.derivations.tensor_parallel.tp_hidden_share import TP_HIDDEN_SHARE
from workings.simulate.block_matrices import spans
from workings.simulate.overlap import work_beside_reduce
from workings.simulate.products import Operand, Tape
from workings.simulate.ring import reduce_scatter
from workings.units import ONE
from workings.vocabulary.model import HEAD_DIM, HEADS


def run_product_and_scatter_by_chunks(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction, H: int, d_h: int, C: Fraction, W_1: Fraction
) -> Fraction | None:
    """Products and hops of every chunk, counted and run beside each other; the sending not waited for."""
    if s % c:
        return None
    tape, rows = Tape(), b_m * s // c
    for heads in spans(H, t):
        for _ in heads:
            tape.multiply("output", Operand(rows, d_h), Operand(d_h, D))
    scatter = reduce_scatter(t, a * rows * D)
    line = work_beside_reduce(
        t, Fraction(tape.forward(), t) / t / C, scatter.sent[0] / scatter.hops / W_1
    )
    return (line.sending - line.exposed) / line.sending


TP_OUTPUT_HIDDEN_SHARE = derivation(
    "tp-output-hidden-share",
    title="Share of attention's reduce-scatter that its chunked output product hides",
    unit=ONE,
    letters={**SPLIT_ACTIVATION, "H": HEADS, "d_h": HEAD_DIM, **SPEEDS},
    uses={
        "h_chk": TP_HIDDEN_SHARE.at(
            T_chk="2[FLOP]*(b_m*(s/c)/t)*(H/t)*d_h*D/C", T_hop="a*(b_m*(s/c)/t)*D/W_1"
        )
    },
    given=("t > 1",),
    source=NEMO_OVERLAP,
    oracle=run_product_and_scatter_by_chunks,
    convention="Forward, inside a node, peak compute and full link speed. Of the four products of a "
    "layer that a transfer feeds or follows, this one has the least work a byte where the "
    "feed-forward is wider than attention.",
    leaves_out="Start-up latency; that small products run below their peak.",
    chain="""
    h_out = h_chk                                   -- chunks of `1/t` of the tokens, multiplied and sent
      = min(1, 2[FLOP]*(b_m*(s/c)/t)*(H/t)*d_h*D/C/(a*(b_m*(s/c)/t)*D/W_1))   -- put it in
      = min(1, 2[FLOP]*H*d_h*W_1/(t*a*C))           -- tokens and the model's width cancel
    """,
)
