"""Sharing an array among more devices, or fewer.

A job that goes on with another tensor-parallel or sharding degree cuts its arrays anew: a mesh is
reshaped, or a checkpoint of one layout is read into another. Each device needs the bytes of its new
part, and has those that lie in its old part too. Parts lie in the order of the devices, so that the
first ones keep most: half of the array changes its owner where one device is added, and nearly all
where the number doubles. The last device of the smaller group sends or receives most, and its bytes
over its link are the time.
"""

from collections import Counter
from fractions import Fraction
from math import lcm

from workings.derivation import Source, derivation, only_if
from workings.simulate.clock import Clock, Link
from workings.units import BYTE, SECOND
from workings.vocabulary.collectives import MESSAGE
from workings.vocabulary.hardware import BANDWIDTH
from workings.vocabulary.sharded import AFTER, BEFORE

RESHARD = Source(
    "Meta",
    "fairseq2",
    None,
    "fairseq2.model_checkpoint, reshard_tensor: shards of one degree joined and cut for another",
    "https://facebookresearch.github.io/fairseq2/stable/_modules/fairseq2/model_checkpoint/common.html",
)

CUT = {"S": MESSAGE, "N_1": BEFORE, "N_2": AFTER}
IN_ORDER = (
    "Both groups cut the array into equal parts in the order of their devices, and begin with the same "
    "device: the smaller group is the first devices of the larger one."
)


def owners(N_1: int, N_2: int) -> list[tuple[int, int]]:
    """The device that has each smallest piece of the array before, and the one that has it after."""
    only_if(lcm(N_1, N_2) <= 2_000)
    pieces = lcm(N_1, N_2)
    return [(piece * N_1 // pieces, piece * N_2 // pieces) for piece in range(pieces)]


def move_what_changes_its_owner(S: Fraction, N_1: int, N_2: int) -> Fraction:
    """The array in pieces that lie in one part before and one after; those that move, counted."""
    pieces = owners(N_1, N_2)
    return S * Fraction(sum(old != new for old, new in pieces), len(pieces))


REGROUPED_BYTES = derivation(
    "regrouped-bytes",
    title="Bytes that change their owner when an array is shared by more or fewer devices",
    phrases="resharding a checkpoint from tp 4 to tp 8; bytes that move when the tensor-parallel degree "
    "changes; elastic resize of a sharded model; reshape a device mesh, data moved; changing the FSDP "
    "group size; load-time resharding traffic; repartition state to another number of ranks",
    unit=BYTE,
    letters=CUT,
    source=RESHARD,
    oracle=move_what_changes_its_owner,
    convention=IN_ORDER,
    leaves_out="Other numberings of the devices, with which more may stay.",
    chain="""
    V_own = S - sum(S*max(0, min(i/N_1, i/N_2) - max((i - 1)/N_1, (i - 1)/N_2)), (i, 1, N_1))
                     -- an `i`-th device keeps what lies in both of its parts, if they meet
      = S*(1 - sum(max(0, min(i/N_1, i/N_2) - max((i - 1)/N_1, (i - 1)/N_2)), (i, 1, N_1)))
                     -- as shares of the array
    """,
)


def time_the_busiest_device(S: Fraction, N_1: int, N_2: int, W_b: Fraction) -> Fraction:
    """Pieces that change their owner, by sender and receiver; those of the busiest by the clock."""
    pieces, clock = owners(N_1, N_2), Clock()
    sent = Counter(old for old, new in pieces if old != new)
    received = Counter(new for old, new in pieces if old != new)
    for _piece in range(max((*sent.values(), *received.values()), default=0)):
        clock.send(Link(0, W_b), 0, 1, S / len(pieces))
    return clock.finish


REGROUPING_TIME = derivation(
    "regrouping-time",
    title="Time to share an array among more or fewer devices",
    phrases="time to reshape a mesh; seconds to reshard weights to another tensor-parallel degree; "
    "resharding a checkpoint in memory duration; elastic training reconfiguration time; how long does "
    "changing tp from 8 to 16 take; repartitioning time of a sharded model",
    unit=SECOND,
    letters={**CUT, "W_b": BANDWIDTH},
    source=RESHARD,
    oracle=time_the_busiest_device,
    convention=f"{IN_ORDER} Each device sends and receives at once, `W_b` each way.",
    leaves_out="Starts of messages; reading from storage and writing to it, where the array is a "
    "checkpoint's; a smaller part that is waited for.",
    chain="""
    T_own = S*(1/min(N_1, N_2)
          - max(0, min(N_1, N_2)/max(N_1, N_2) - (min(N_1, N_2) - 1)/min(N_1, N_2)))/W_b
                     -- the last device of the smaller group has a larger part and keeps least of it
      = S/W_b*min(1/min(N_1, N_2), 1 - min(N_1, N_2)/max(N_1, N_2))
                     -- all of that part, or what is beyond its other one
    """,
)
