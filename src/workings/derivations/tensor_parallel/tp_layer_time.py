"""Time of a layer's tensor-parallel transfers inside a node."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON_VOLUME
from workings.derivations.tensor_parallel.tp_layer_bytes import TP_LAYER_BYTES
from workings.simulate.clock import Clock, Link
from workings.simulate.tensor_layer import Options
from workings.units import SECOND
from workings.vocabulary.hardware import LINK_ONE_WAY
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def send_collective_by_collective(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction, W_1: Fraction
) -> Fraction | None:
    """The layer's collectives one after another over a rank's link; when the last byte has left."""
    ranks = run(t, b_m, s, c, D, Options())
    if ranks is None:
        return None
    clock, link = Clock(), Link(bandwidth=W_1)
    for op in ranks.collectives():
        clock.send(link, 0, 1, op.sent * a)
    return clock.finish


TP_LAYER_TIME = derivation(
    "tp-layer-time",
    title="Time of one layer's tensor-parallel transfers inside a node",
    unit=SECOND,
    letters={**SPLIT_ACTIVATION, "W_1": LINK_ONE_WAY},
    uses={"V_TP": TP_LAYER_BYTES.at()},
    given=("c divides s",),
    source=MEGATRON_VOLUME,
    oracle=send_collective_by_collective,
    convention="One micro-batch, forward and backward; the link runs at its full one-way speed.",
    leaves_out="Start-up latency, and what runs beside the transfers.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-layer-time"},
    chain="""
    T_TP = V_TP/W_1                               -- bytes a rank sends over its link
      = 8*(t - 1)/t*(a*b_m*s*D/(c*W_1))           -- four all-reduces
      <= 8*a*b_m*s*D/(c*W_1)                      -- `t - 1 < t`
    """,
)
