"""What a chunked product does not hide of its transfer."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._chunks import CHUNKS
from workings.derivations.tensor_parallel._sources import NEMO_OVERLAP
from workings.derivations.tensor_parallel.tp_overlapped_time import TP_OVERLAPPED_TIME
from workings.simulate.overlap import gather_beside_work
from workings.units import SECOND


def time_spent_waiting(t: int, T_chk: Fraction, T_hop: Fraction) -> Fraction:
    """Compute and link run beside each other, chunk by chunk; time in which compute stands still."""
    return gather_beside_work(t, T_chk, T_hop).exposed


TP_EXPOSED_TIME = derivation(
    "tp-exposed-time",
    title="Time of a transfer that its chunked product does not hide",
    unit=SECOND,
    letters=CHUNKS,
    uses={"T_ov": TP_OVERLAPPED_TIME.at()},
    source=NEMO_OVERLAP,
    oracle=time_spent_waiting,
    convention="An all-gather before the product or a reduce-scatter after it, cut into `t` chunks.",
    chain="""
    T_exp = T_ov - t*T_chk                          -- beyond the product alone
      = T_chk + (t - 1)*max(T_chk, T_hop) - t*T_chk     -- put it in
      = (t - 1)*(max(T_chk, T_hop) - T_chk)         -- collect
      = (t - 1)*max(0, T_hop - T_chk)               -- a hop shows where it outlasts a chunk's product
    """,
)
