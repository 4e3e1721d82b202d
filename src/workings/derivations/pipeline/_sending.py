"""Letters of a message between stages, and how long one takes."""

from fractions import Fraction

from workings.derivations.pipeline.pp_message_time import send_token_by_token
from workings.vocabulary.hardware import NETWORK_LATENCY, NETWORK_ONE_WAY
from workings.vocabulary.layout import TP

SENDING = {"t": TP, "alpha_2": NETWORK_LATENCY, "W_2": NETWORK_ONE_WAY}


def hop(t: int, alpha_2: Fraction, W_2: Fraction, a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """Send a micro-batch's tokens one after the other; return when the last is there."""
    return send_token_by_token(t, alpha_2, W_2, a, s, b_m, D)
