"""Activations of one device of the mesh, with sequence parallelism."""

from typing import Any

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.sources import SEQUENCE_PARALLEL
from workings.derivations.techniques._tensor_rows import LETTERS, ROWS, one_device
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION


def deal_out_split_inputs(**letters: Any) -> object:
    """Every tensor of the tape dealt out to the devices of the mesh, inputs split by tokens."""
    return one_device(**letters, sequence_parallel=True)


SEQUENCE_PARALLEL_ACTIVATIONS = derivation(
    "sequence-parallel-activations",
    title="Activations of one device of the mesh under sequence parallelism, of a feed-forward stack",
    unit=BYTE,
    letters=LETTERS,
    source=SEQUENCE_PARALLEL,
    oracle=deal_out_split_inputs,
    leaves_out="Activation function, norm and attention: the block is two linear layers.",
    ledger=under(ROWS, sequence_parallel=True),
    holds_for={WITHOUT_ATTENTION: "blocks-activations"},
    chain="""
    A_SP = rows                     -- add the rows
      = a*B*L*(D + F)/(X*Y)        -- both halves are split over `Y`
    """,
)
