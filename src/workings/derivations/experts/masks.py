"""Masks that assign tokens to places.

Where a compiler wants fixed shapes, tokens are not moved but multiplied: a table says for every token and
every place of every expert whether the token goes there, and a product with it fills the places. The
table is mostly zeros, and its product can cost more than the experts do.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.experts._letters import EXPERT, ROUTING, TOKENS, VECTOR
from workings.derivations.experts.loads import (
    EXPERT_CAPACITY,
    GSHARD,
    RANK_TOKENS,
    add_places_until_enough,
    deal_a_micro_batch,
)
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE, FLOP, ONE
from workings.vocabulary.experts import CAPACITY_FACTOR

ROUTED = {**TOKENS, **ROUTING, "phi": CAPACITY_FACTOR}
EVEN = ("k_E <= E", "c*t divides s")
OWN_PLACES = "Each rank keeps places of its own for its tokens at every expert, as GShard's groups do."


def write_the_table(E: int, k_E: int, phi: Fraction, **tokens: int) -> tuple[int, int]:
    """The rows and the columns of the table: tokens of a rank, and places of all experts."""
    places = add_places_until_enough(E, k_E, phi, **tokens)
    held = int(deal_a_micro_batch(**tokens))
    return held, len([0 for _ in range(E) for _ in range(places)])


def store_the_table(a: Fraction, **routed: Any) -> Fraction:
    """The table as a tensor of `a` bytes an entry."""
    return total_bytes([Tensor("mask", write_the_table(**routed), a)])


DISPATCH_MASK_BYTES = derivation(
    "dispatch-mask-bytes",
    title="Bytes of the mask that assigns a rank's tokens to places of experts",
    phrases="dispatch mask size; combine weights tensor of GShard; G S E C tensor; one-hot routing "
    "tensor of Mesh TensorFlow; size of the assignment mask in Switch Transformers; memory of einsum "
    "dispatch",
    unit=BYTE,
    letters={**ROUTED, "a": VECTOR["a"]},
    uses={"T": RANK_TOKENS.at(), "C_E": EXPERT_CAPACITY.at()},
    given=EVEN,
    source=GSHARD,
    oracle=store_the_table,
    convention=f"{OWN_PLACES} The weights that combine results are as large.",
    chain="""
    S_mask = sum(sum(C_E*a, (i, 1, E)), (j, 1, T))      -- for each token a number a place of each expert
      = T*E*C_E*a                                       -- equal terms
    """,
)


def multiply_with_the_table(D: int, **routed: Any) -> int:
    """The table times the tokens' vectors, really multiplied and counted."""
    tokens, places = write_the_table(**routed)
    only_if(tokens * places * D <= 20_000)
    return counted_matmul(ffn_numbers(places, tokens, 1), ffn_numbers(tokens, D, 2))[1]


DISPATCH_MASK_FLOPS = like(
    "dispatch-mask-flops",
    DISPATCH_MASK_BYTES,
    title="FLOPs of sending a rank's tokens to experts by a product with a mask",
    phrases="cost of einsum dispatch; FLOPs of one-hot dispatch and combine; O(G S M E C) operations; "
    "dispatching tokens with a matrix product; overhead of mask-based MoE routing; why megablocks avoids "
    "dispatch einsums",
    unit=FLOP,
    letters={**ROUTED, "D": VECTOR["D"]},
    oracle=multiply_with_the_table,
    convention=f"{OWN_PLACES} Combining takes as many.",
    chain="""
    f_mask = sum(2[FLOP]*T*C_E*D, (i, 1, E))      -- the table's columns of an expert times all vectors
      = 2[FLOP]*T*E*C_E*D                         -- equal experts
    """,
)


def multiply_with_table_and_experts(D: int, F_E: int, n_f: int, E: int, **routed: Any) -> Fraction:
    """The products with the table there and back, over those of experts with their full places."""
    tokens, places = write_the_table(E=E, **routed)
    only_if(n_f * places * D * (tokens + F_E) <= 20_000)
    there = multiply_with_the_table(D=D, E=E, **routed)
    back = counted_matmul(ffn_numbers(tokens, places, 1), ffn_numbers(places, D, 2))[1]
    each = places // E
    inward = counted_matmul(ffn_numbers(each, D, 1), ffn_numbers(D, F_E, 2))[1]
    outward = counted_matmul(ffn_numbers(each, F_E, 1), ffn_numbers(F_E, D, 2))[1]
    experts = sum([inward] * (n_f - 1) + [outward]) * len(range(E))
    return Fraction(there + back, experts)


DISPATCH_MASK_SHARE = like(
    "dispatch-mask-share",
    DISPATCH_MASK_BYTES,
    title="FLOPs of dispatching and combining by a mask, over those of the experts",
    phrases="routing einsum cost against expert FFN; is one-hot dispatch more expensive than the "
    "experts; overhead share of dispatch and combine einsums; when do group sizes make masks too "
    "expensive; group size for GShard dispatch; mask product share of MoE compute",
    unit=ONE,
    letters={**ROUTED, **EXPERT},
    uses={"T": RANK_TOKENS.at(), "C_E": EXPERT_CAPACITY.at(), "f_mask": DISPATCH_MASK_FLOPS.at()},
    oracle=multiply_with_table_and_experts,
    convention=f"{OWN_PLACES} Experts compute on all places, filled or not.",
    chain="""
    x_mask = 2*f_mask/sum(2[FLOP]*n_f*C_E*D*F_E, (i, 1, E))      -- there and back, over the experts
      = 2*(2[FLOP]*T*E*C_E*D)/(2[FLOP]*n_f*E*C_E*D*F_E)          -- put the mask in; equal experts
      = 2*T/(n_f*F_E)                                            -- cancel: tokens against hidden widths
    """,
)
