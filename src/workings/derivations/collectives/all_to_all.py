"""All-to-all: every rank sends another part of its data to each other rank."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import NCCL_TESTS_BANDWIDTH
from workings.simulate.clock import BYTES
from workings.simulate.exchange import all_to_all
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def address_every_part(N: int, S: Fraction) -> Fraction:
    """Each rank's parts, addressed to every rank, are sent to the others and counted."""
    return all_to_all(N, S, BYTES).sent(0)


ALL_TO_ALL = derivation(
    "all-to-all",
    title="Bytes one rank sends in an all-to-all",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    source=NCCL_TESTS_BANDWIDTH,
    oracle=address_every_part,
    convention="`S` is what one rank starts with, `S/N` of it for each rank, itself included; all ranks "
    "together hold `N*S`.",
    leaves_out="Unequal parts, as routed tokens make them.",
    chain="""
    V_A2A = sum(S/N, (i, 1, N - 1))  -- `S/N` bytes for each of the `N - 1` others
      = (N - 1)*(S/N)                -- equal parts
      = (N - 1)/N*S                  -- all but its own part
      <= S                           -- at most what it starts with
    """,
)
