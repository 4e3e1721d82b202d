"""The experts' matrix products.

An expert sees only its part of the tokens, so its matmul may do too little for the weights it reads: the
arithmetic intensity grows with the tokens, and from some number on the matmul is compute-bound. The
busiest rank's matmuls set the time of all. Against the all-to-alls the tokens cancel, and what decides
whether they can be hidden is an expert's width.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.experts._letters import (
    DISPATCH,
    EXPERT,
    ROUTING,
    SPREAD_OUT,
    TOKENS,
    VECTOR,
)
from workings.derivations.experts.dispatch import (
    DISPATCH_BYTES,
    NODE_LIMITED_DISPATCH,
    visit_nodes_in_turn,
)
from workings.derivations.experts.loads import RANK_TOKENS, copies_of_a_token, deal_a_micro_batch
from workings.derivations.experts.shares import token_flops
from workings.derivations.sources import scaling_book
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE, FLOP, ONE, SECOND
from workings.vocabulary.experts import EXPERT_TOKENS, IMBALANCE, NODE_LIMIT
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE, MEMORY_BANDWIDTH, NETWORK_ONE_WAY
from workings.vocabulary.layout import EP, NODE_DEVICES
from workings.vocabulary.model import ACTIVE_EXPERTS, D_EXPERT, D_MODEL, FFN_MATRICES
from workings.vocabulary.training import ACTIVATION_WIDTH, GATHER_WIDTH

MATMUL = {
    "n_E": EXPERT_TOKENS, "D": D_MODEL, "F_E": D_EXPERT, "w": GATHER_WIDTH, "a": ACTIVATION_WIDTH,
}  # fmt: skip

SCALING_BOOK_ROOFLINE = scaling_book("roofline", "part 1, “Matrix multiplication”")

SCALING_BOOK_EXPERTS = scaling_book("gpus", "chapter “How to Think About GPUs”, “Expert Parallelism”")


def flops_and_bytes(n_E: int, D: int, F_E: int, w: Fraction, a: Fraction) -> tuple[Fraction, Fraction]:
    """FLOPs of the matmul, two for each entry times its inner length, and bytes of its tensors."""
    output = Tensor("output", (n_E, F_E), a)
    flops = sum(output.elements + output.elements for _ in range(D))
    tensors = [Tensor("input", (n_E, D), a), Tensor("weight", (D, F_E), w), output]
    return Fraction(flops), total_bytes(tensors)


def divide_flops_by_bytes(**matmul: Any) -> Fraction:
    """The matmul's tensors listed with their bytes, its FLOPs counted along the inner dimension."""
    flops, moved = flops_and_bytes(**matmul)
    return flops / moved


EXPERT_INTENSITY = derivation(
    "expert-intensity",
    title="Arithmetic intensity of an expert's matmul",
    phrases="arithmetic intensity of expert GEMM; FLOPs per byte of grouped GEMM; MoE operational "
    "intensity; why experts are memory-bound; low MoE GEMM utilization; tokens per expert and weight "
    "loading; why are small experts slow; roofline of an expert MLP",
    unit=FLOP / BYTE,
    letters=MATMUL,
    source=SCALING_BOOK_ROOFLINE,
    oracle=divide_flops_by_bytes,
    convention="Weights and input are read once, the output is written once.",
    chain="""
    I_E = (2[FLOP]*n_E*D*F_E)/(w*D*F_E + a*n_E*D + a*n_E*F_E)
                                       -- FLOPs over the bytes of weight, input and output
      = (2[FLOP]*n_E)/(w + a*n_E/F_E + a*n_E/D)      -- divide by `D*F_E`
      <= 2[FLOP]*n_E/w                               -- the weight alone: more tokens, more work a byte
      ≈ [D -> oo, F_E -> oo] 2[FLOP]*n_E/w           -- few tokens against wide matrices
    """,
)


def race_against_memory(C: Fraction, W_m: Fraction, **matmul: Any) -> bool:
    """The counted FLOPs' time against the time of reading and writing the listed tensors."""
    flops, moved = flops_and_bytes(**matmul)
    return flops / C > moved / W_m


COMPUTE_BOUND_EXPERT_TOKENS = derivation(
    "compute-bound-expert-tokens",
    title="Tokens from which an expert's matmul is compute-bound",
    phrases="tokens per expert to be compute-bound; grouped GEMM roofline threshold; memory-bound "
    "expert limit; how many tokens must each expert get; expert batch above the roofline ridge; expert "
    "batch too small; tokens per expert to be efficient",
    unit=ONE,
    noun="tokens",
    letters={**MATMUL, "C": COMPUTE, "W_m": MEMORY_BANDWIDTH},
    given=("W_m > a*(D + F_E)*C/(2[FLOP]*D*F_E)",),
    source=SCALING_BOOK_ROOFLINE,
    oracle=race_against_memory,
    convention="Reading, writing and computing overlap; an expert of a batch has `k_E/E` of its tokens.",
    chain="""
    2[FLOP]*n_E*D*F_E/C > (w*D*F_E + a*n_E*(D + F_E))/W_m      -- compute takes longer than memory
      <=> n_E*(2[FLOP]*D*F_E*W_m - a*(D + F_E)*C) > w*D*F_E*C  -- multiply by `C*W_m`, collect `n_E`
      <=> n_E > w*D*F_E*C/(2[FLOP]*D*F_E*W_m - a*(D + F_E)*C)  -- divide: the bracket is positive
    """,
)


def compute_on_the_busiest_rank(
    e: int, E: int, k_E: int, D: int, F_E: int, n_f: int, C: Fraction, **others: Any
) -> Fraction:
    """A round of tokens exchanged; the mean rank's matmuls walked through, then the busiest's."""
    copies = copies_of_a_token(e, E, k_E)
    busiest: Fraction = others.pop("lambda")  # a word of Python's own, so no name of an argument
    return busiest * copies.computed * deal_a_micro_batch(**others) * token_flops(n_f, D, F_E) / C


EXPERT_TIME = derivation(
    "expert-time",
    title="Time of the experts' matmuls on the busiest rank, forward",
    phrases="expert GEMM duration on the slowest rank; MoE compute time with imbalance; grouped GEMM "
    "time hottest GPU; expert MLP milliseconds; MoE expert kernel duration",
    unit=SECOND,
    letters={**TOKENS, "e": EP, **ROUTING, **EXPERT, "C": COMPUTE, "lambda": IMBALANCE},
    uses={"T": RANK_TOKENS.at()},
    given=(*SPREAD_OUT, "lambda >= 1", "c*t divides s"),
    source=SCALING_BOOK_EXPERTS,
    oracle=compute_on_the_busiest_rank,
    convention="All ranks wait for the busiest; `lambda` is its tokens over the mean. Backward takes "
    "twice as long.",
    leaves_out="Shared experts, the router, and the activation function between the matmuls.",
    chain="""
    T_x = lambda*sum(k_E*T/e, (i, 1, e))*(2[FLOP]*n_f*D*F_E)/C
                                     -- copies from all `e` ranks, `n_f` matmuls of `D*F_E` each
      = lambda*k_E*T*(2[FLOP]*n_f*D*F_E)/C               -- the mean rank gets as many as it sends
      = lambda*(2[FLOP]*k_E*n_f*D*F_E*b_m*s)/(c*t*C)     -- put the tokens in
    """,
)


def race_a_round(
    e: int, E: int, k_E: int, D: int, a: Fraction, F_E: int, n_f: int, C: Fraction, W_b: Fraction,
    **_: int,
) -> bool:  # fmt: skip
    """Tokens really exchanged there and back; the bytes' time against that of the experts' matmuls."""
    copies = copies_of_a_token(e, E, k_E)
    sent = (copies.dispatched + copies.combined) * D * a
    return copies.computed * token_flops(n_f, D, F_E) / C >= sent / W_b


EXPERT_WIDTH_TO_HIDE = derivation(
    "expert-width-to-hide",
    title="Width of an expert from which its matmuls can hide both all-to-alls",
    phrases="expert FFN size to overlap all-to-all; moe_intermediate_size needed to hide EP comm; can "
    "expert compute hide dispatch and combine; fine-grained experts communication-bound; expert hidden "
    "size for communication overlap",
    unit=ONE,
    noun="values",
    letters={**DISPATCH, "F_E": D_EXPERT, "n_f": FFN_MATRICES, "C": COMPUTE, "W_b": BANDWIDTH},
    uses={"T": RANK_TOKENS.at(), "V_disp": DISPATCH_BYTES.at()},
    given=SPREAD_OUT,
    source=SCALING_BOOK_EXPERTS,
    oracle=race_a_round,
    convention="Forward (backward doubles compute but not bytes); even load; `W_b` is the link that the "
    "group crosses.",
    leaves_out="Attention and shared experts, which can hide some too; start-up latency.",
    chain="""
    2[FLOP]*k_E*T*n_f*D*F_E/C >= 2*V_disp/W_b           -- the experts' matmuls, dispatch and combine
      <=> 2[FLOP]*k_E*T*n_f*D*F_E/C >= 2*(e - 1)/e*k_E*T*D*a/W_b      -- put the dispatch in
      <=> F_E >= (e - 1)/e*2*a*C/(2[FLOP]*n_f*W_b)      -- tokens, experts a token and width cancel
    """,
)


def race_a_round_between_nodes(
    e: int, k_E: int, M: int, n_node: int, D: int, a: Fraction, F_E: int, n_f: int, C: Fraction,
    W_2: Fraction, **tokens: int,
) -> bool:  # fmt: skip
    """Tokens really sent once to each of their nodes, twice; against the products of their experts."""
    sent = visit_nodes_in_turn(e, D, a, M, n_node, **tokens)
    copies = sum(1 for _ in range(k_E)) * deal_a_micro_batch(**tokens)
    return copies * token_flops(n_f, D, F_E) / C >= (sent + sent) / W_2


EXPERT_WIDTH_TO_HIDE_NODES = derivation(
    "expert-width-to-hide-nodes",
    title="Width of an expert from which its matmuls can hide both all-to-alls between nodes",
    phrases="expert FFN size to overlap cross-node all-to-all; F > alpha (Z - 8)/k; expert parallelism "
    "over a few nodes compute-bound; hide dispatch over InfiniBand with one copy per node; expert "
    "hidden size needed for multi-node EP; can EP span two nodes",
    unit=ONE,
    noun="values",
    letters={
        **TOKENS, "e": EP, "k_E": ACTIVE_EXPERTS, **VECTOR, "M": NODE_LIMIT, "n_node": NODE_DEVICES,
        "F_E": D_EXPERT, "n_f": FFN_MATRICES, "C": COMPUTE, "W_2": NETWORK_ONE_WAY,
    },
    uses={"T": RANK_TOKENS.at(), "V_net": NODE_LIMITED_DISPATCH.at()},
    given=("n_node divides e", "M <= e/n_node", "M <= k_E"),
    source=SCALING_BOOK_EXPERTS,
    oracle=race_a_round_between_nodes,
    convention="Forward (backward doubles compute but not bytes); even load; a token goes once to each "
    "of its `M` nodes, all of them where `k_E` is not below their number. The node's egress is "
    "`n_node*W_2`.",
    leaves_out="Forwarding inside the nodes, attention and shared experts; start-up latency.",
    chain="""
    2[FLOP]*k_E*T*n_f*D*F_E/C >= 2*V_net/W_2            -- the experts' matmuls, dispatch and combine
      <=> 2[FLOP]*k_E*T*n_f*D*F_E/C >= 2*((e - n_node)/e*M*T*D*a)/W_2      -- put the dispatch in
      <=> F_E >= (M/k_E)*((e - n_node)/e)*(2*a*C/(2[FLOP]*n_f*W_2))
                                                        -- tokens and the model's width cancel
    """,
)  # fmt: skip
