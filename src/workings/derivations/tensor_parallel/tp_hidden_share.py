"""Which share of a transfer its chunked product hides."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._chunks import CHUNKS
from workings.derivations.tensor_parallel._sources import NEMO_OVERLAP
from workings.derivations.tensor_parallel.tp_exposed_time import TP_EXPOSED_TIME
from workings.simulate.overlap import gather_beside_work
from workings.units import ONE


def compare_waiting_with_sending(t: int, T_chk: Fraction, T_hop: Fraction) -> Fraction:
    """Compute and link run beside each other; the time of sending in which compute did not wait."""
    line = gather_beside_work(t, T_chk, T_hop)
    return (line.sending - line.exposed) / line.sending


TP_HIDDEN_SHARE = derivation(
    "tp-hidden-share",
    title="Share of a transfer that its chunked product hides",
    unit=ONE,
    letters=CHUNKS,
    uses={"T_exp": TP_EXPOSED_TIME.at()},
    given=("t > 1", "T_hop > 0 -- there is nothing to hide"),
    source=NEMO_OVERLAP,
    oracle=compare_waiting_with_sending,
    convention="As in tp-overlapped-time: the product is cut into as many chunks as there are ranks.",
    chain="""
    h_chk = 1 - T_exp/((t - 1)*T_hop)                     -- what shows, over `t - 1` hops
      = 1 - (t - 1)*max(0, T_hop - T_chk)/((t - 1)*T_hop)     -- put it in
      = 1 - max(0, 1 - T_chk/T_hop)                       -- divide by `(t - 1)*T_hop`
      = min(1, T_chk/T_hop)                               -- all of it where a product outlasts a hop
    """,
)
