"""Activations on a mesh."""

from fractions import Fraction
from typing import Any

from workings.chain import Row, under
from workings.derivation import derivation
from workings.derivations.sources import SEQUENCE_PARALLEL, SUBLINEAR
from workings.simulate.tensors import saved_for_backward, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.layout import MESH_X, MESH_Y
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS


def first_tensor_on_the_tape(B: int, D: int, a: Fraction) -> Fraction:
    """The first tensor that a block's tape records: its input."""
    return saved_for_backward(1, D, 1, B, a)[0].bytes


BLOCK_INPUT = derivation(
    "block-input",
    title="Bytes of a block's input",
    phrases="MLP layer input size; aBD checkpoint",
    unit=BYTE,
    letters={"B": TOKENS, "D": D_MODEL, "a": ACTIVATION_WIDTH},
    source=SUBLINEAR,
    oracle=first_tensor_on_the_tape,
    convention="The block of the feed-forward model: its input is all that a checkpoint keeps.",
    chain="""
    c = a*B*D                 -- bytes a value, tokens, values a token
    """,
)


def tape_of_one_block(B: int, D: int, F: int, a: Fraction) -> Fraction:
    """The tape of one block's forward pass, added up."""
    return total_bytes(saved_for_backward(1, D, F, B, a))


BLOCK_SAVED = derivation(
    "block-saved",
    title="Bytes one feed-forward block saves for its backward pass",
    phrases="MLP layer stored tensors; aB(D+F)",
    unit=BYTE,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF, "a": ACTIVATION_WIDTH},
    source=SUBLINEAR,
    oracle=tape_of_one_block,
    leaves_out="Activation function, norm and attention: the block is two linear layers.",
    holds_for={WITHOUT_ATTENTION: "block-activations-llama"},
    chain="""
    e = a*B*D + a*B*F         -- the inputs of both linears
      = a*B*(D + F)           -- collect
    """,
)


LETTERS = {
    "L": BLOCKS, "D": D_MODEL, "F": D_FF, "B": TOKENS, "a": ACTIVATION_WIDTH,
    "X": MESH_X, "Y": MESH_Y,
}  # fmt: skip


ROWS = (
    Row("input of the first linear", "a*B*D*L", "whole on each of the `Y` ranks", "X",
        when=(("sequence_parallel", False),)),
    Row("input of the first linear", "a*B*D*L", "each of the `Y` ranks keeps its tokens", "(X*Y)",
        when=(("sequence_parallel", True),)),
    Row("input of the second linear", "a*B*F*L", "each of the `Y` ranks has its columns", "(X*Y)"),
)  # fmt: skip


def one_device(
    L: int, D: int, F: int, B: int, a: Fraction, X: int, Y: int, *, sequence_parallel: bool
) -> Fraction:
    """The tape's tensors dealt out to the devices one by one, one device's bytes added up."""
    device = Fraction(0)
    for tensor in saved_for_backward(L, D, F, B, a):
        hidden = tensor.name.endswith("w_in.output")
        copies = 1 if hidden or sequence_parallel else Y
        device += tensor.bytes * copies / (X * Y)
    return device


def deal_out_whole_inputs(**letters: Any) -> object:
    """Every tensor of the tape dealt out to the devices, inputs whole on each tensor-parallel rank."""
    return one_device(**letters, sequence_parallel=False)


TENSOR_ACTIVATIONS = derivation(
    "tensor-activations",
    title="Activations of one device of the mesh, of a feed-forward stack",
    phrases="MLP stack activations per chip with TP only; hidden sharded, input whole",
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


def deal_out_split_inputs(**letters: Any) -> object:
    """Every tensor of the tape dealt out to the devices of the mesh, inputs split by tokens."""
    return one_device(**letters, sequence_parallel=True)


SEQUENCE_PARALLEL_ACTIVATIONS = derivation(
    "sequence-parallel-activations",
    title="Activations of one device of the mesh under sequence parallelism, of a feed-forward stack",
    phrases="MLP stack activations per chip with SP; aBL(D+F)/(XY)",
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
