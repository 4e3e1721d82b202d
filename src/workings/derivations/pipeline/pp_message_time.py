"""How long a stage's output is on its way."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring_time import POINT_TO_POINT_TIME
from workings.derivations.pipeline._sends import BOUNDARY
from workings.derivations.pipeline._sources import MEGATRON_SCATTER
from workings.units import SECOND
from workings.vocabulary.hardware import NETWORK_LATENCY, NETWORK_ONE_WAY
from workings.vocabulary.layout import TP


def send_token_by_token(
    t: int, alpha_2: Fraction, W_2: Fraction, a: Fraction, s: int, b_m: int, D: int
) -> Fraction:
    """One tensor rank's tokens put on the link one after the other, after the start-up."""
    clock = alpha_2
    for token in range(s):
        if token % t == 0:
            clock += sum((a * D / W_2 for _ in range(b_m)), Fraction(0))
    return clock


PP_MESSAGE_TIME = derivation(
    "pp-message-time",
    title="Time to send a micro-batch to the next stage",
    unit=SECOND,
    letters={"t": TP, "alpha_2": NETWORK_LATENCY, "W_2": NETWORK_ONE_WAY, **BOUNDARY},
    uses={"T_p2p": POINT_TO_POINT_TIME.at(S="a*s*b_m*D/t", alpha="alpha_2", W_b="W_2")},
    given=("t divides s",),
    source=MEGATRON_SCATTER,
    oracle=send_token_by_token,
    convention="One way, between nodes; each tensor rank sends its part, on a link of its own.",
    leaves_out="The all-gather of the parts inside the receiving node.",
    chain="""
    T_hop = T_p2p                              -- a message of `a*s*b_m*D/t` bytes
      = alpha_2 + a*s*b_m*D/t/W_2              -- put the message in
      = alpha_2 + a*s*b_m*D/(t*W_2)            -- collect
    """,
)
