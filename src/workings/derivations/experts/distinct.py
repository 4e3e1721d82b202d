"""Experts that a batch uses.

A decode step sends few tokens to many experts, and reads only the weights of those that get one. Tokens
that choose at random often choose experts that others have chosen, so a batch uses fewer than it has
copies, and nearly all as soon as there are some times `E/k_E` tokens. That is why a mixture reads almost
all its weights for a batch whose tokens each compute with few.
"""

from fractions import Fraction
from itertools import combinations

from workings.derivation import Source, derivation, only_if
from workings.derivations.experts._letters import EXPERT, ROUTING
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE, ONE
from workings.vocabulary.experts import ROUTED_TOKENS
from workings.vocabulary.model import MOE_BLOCKS
from workings.vocabulary.training import GATHER_WIDTH

MOESD = Source(
    "Huang et al.",
    "MoESD: Unveil Speculative Decoding's Potential for Accelerating Sparse MoE",
    2025,
    "section 3.2, equations 6 to 8",
    "https://arxiv.org/abs/2505.19645",
)


def every_routing(E: int, k_E: int, T_g: int) -> dict[frozenset[int], int]:
    """The experts that tokens can use together, and in how many routings they use just these."""
    only_if(E <= 7 and T_g <= 40)
    choices = [frozenset(choice) for choice in combinations(range(E), k_E)]
    ways = {frozenset[int](): 1}
    for _ in range(T_g):
        after: dict[frozenset[int], int] = {}
        for used, number in ways.items():
            for choice in choices:
                after[used | choice] = after.get(used | choice, 0) + number
        ways = after
    return ways


def mark_the_used(E: int, k_E: int, T_g: int) -> Fraction:
    """All routings of all tokens, with the experts that each uses; their mean number."""
    ways = every_routing(E, k_E, T_g)
    return Fraction(sum(len(used) * number for used, number in ways.items()), sum(ways.values()))


DISTINCT_EXPERTS = derivation(
    "distinct-experts",
    title="Different experts that a batch of tokens uses",
    phrases="expected number of unique experts activated; how many distinct experts does a batch "
    "touch; E(1 − (1 − k/E)^B); experts activated per layer by a batch; coupon collector of experts; "
    "share of experts hit by a small batch; union of the experts of all tokens",
    unit=ONE,
    noun="experts",
    fractional="the expected number",
    letters={**ROUTING, "T_g": ROUTED_TOKENS},
    given=("k_E <= E",),
    source=MOESD,
    oracle=mark_the_used,
    convention="One block. Each token picks `k_E` different experts at random, all equally likely.",
    leaves_out="Likeness of tokens: those of one text choose the same experts more often than at random.",
    chain="""
    E_u = sum(1 - (1 - k_E/E)^T_g, (i, 1, E))
                                      -- unused only if each token, by chance `1 - k_E/E`, goes elsewhere
      = E*(1 - (1 - k_E/E)^T_g)       -- equal experts
      <= E                            -- no more than there are
    """,
)


def read_what_is_used(
    E: int, k_E: int, T_g: int, D: int, F_E: int, n_f: int, L_E: int, w: Fraction
) -> Fraction:
    """In all routings the matrices of the experts used, listed with their bytes; their mean."""
    ways = every_routing(E, k_E, T_g)
    only_if(L_E * n_f * len(ways) <= 3_000)
    read = Fraction(0)
    for _block in range(L_E):
        for used, number in ways.items():
            shapes = [(D, F_E) if matrix else (F_E, D) for _ in used for matrix in range(n_f)]
            read += number * total_bytes([Tensor("weight", shape, w) for shape in shapes])
    return read / sum(ways.values())


DISTINCT_EXPERT_BYTES = derivation(
    "distinct-expert-bytes",
    title="Bytes of routed experts that a batch of tokens reads",
    phrases="MoE weight traffic of a small batch; expert weights loaded from HBM in a step; how much of "
    "a mixture is read for a batch; bytes of activated experts; weights of the experts hit",
    unit=BYTE,
    letters={**ROUTING, "T_g": ROUTED_TOKENS, **EXPERT, "L_E": MOE_BLOCKS, "w": GATHER_WIDTH},
    uses={"E_u": DISTINCT_EXPERTS.at()},
    given=("k_E <= E",),
    source=MOESD,
    oracle=read_what_is_used,
    convention="All blocks and all devices together, in the mean; the weights of an expert that is used "
    "are read once. In a decode step `T_g` is the number of sequences.",
    leaves_out="Shared experts, attention, tables and caches, which every step reads.",
    chain="""
    V_u = sum(E_u*(n_f*D*F_E*w), (i, 1, L_E))           -- in every block the matrices of the experts used
      = L_E*E_u*n_f*D*F_E*w                             -- equal blocks
      = L_E*E*(1 - (1 - k_E/E)^T_g)*n_f*D*F_E*w         -- put the experts in
      <= L_E*E*n_f*D*F_E*w                              -- no more than all of them
    """,
)
