"""Activations of one device of the mesh, without sequence parallelism."""

from typing import Any

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.sources import SEQUENCE_PARALLEL
from workings.derivations.techniques._tensor_rows import LETTERS, ROWS, one_device
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION


def deal_out_whole_inputs(**letters: Any) -> object:
    """Every tensor of the tape dealt out to the devices, inputs whole on each tensor-parallel rank."""
    return one_device(**letters, sequence_parallel=False)


TENSOR_ACTIVATIONS = derivation(
    "tensor-activations",
    title="Activations of one device of the mesh, of a feed-forward stack",
    unit=BYTE,
    letters=LETTERS,
    source=SEQUENCE_PARALLEL,
    oracle=deal_out_whole_inputs,
    leaves_out="Activation function, norm and attention: the block is two linear layers.",
    ledger=under(ROWS, sequence_parallel=False),
    holds_for={WITHOUT_ATTENTION: "blocks-activations"},
    chain="""
    A_T = rows                     -- add the rows
      = a*B*L*(D + F/Y)/X          -- only the wide half is split over `Y`
    """,
)
