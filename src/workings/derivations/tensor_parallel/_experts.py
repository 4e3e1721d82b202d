"""What tensor parallelism moves in a layer with experts: the letters, and every collective walked.

Attention and shared experts are split over `t` ranks like a dense layer. Routed experts are split over
`t_e` ranks, and what those were sent is gathered among them before the products and scattered after.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from workings.derivation import Source
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.simulate.ring import Traffic, all_gather, all_reduce, reduce_scatter
from workings.vocabulary.layout import ETP
from workings.vocabulary.model import ACTIVE_EXPERTS, SHARED_EXPERTS

LETTERS = {**SPLIT_ACTIVATION, "k_E": ACTIVE_EXPERTS, "E_s": SHARED_EXPERTS, "t_e": ETP}
_SENT = "t_e*k_E*a*b_m*s*D/(t*c)"  # what the ranks of an expert were sent, together
EXPERT_GATHER = RING_ALL_GATHER.at(N="t_e", S=_SENT)
EXPERT_SCATTER = RING_REDUCE_SCATTER.at(N="t_e", S=_SENT)

CONVENTION = (
    "One micro-batch, even routing; a rank sends its own part of the tokens to routed experts, so only "
    "attention and shared experts gather all of them. Experts are split over `t_e` ranks."
)
LEAVES_OUT = "The all-to-all among experts; latents of a compressed attention, which are gathered too."
DISPATCHER = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/transformer/moe/token_dispatcher.py, MoEAlltoAllTokenDispatcher",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/moe/token_dispatcher.py",
)

COLLECTIVES: dict[str, Callable[[int, Fraction], Traffic]] = {
    "reduce": all_reduce, "gather": all_gather, "scatter": reduce_scatter,
}  # fmt: skip
THERE_AND_BACK = ("gather", "scatter")


def walk(
    whole: Iterable[str], routed: Iterable[str],
    *, t: int, b_m: int, s: int, c: int, D: int, a: Fraction, k_E: int, E_s: int, t_e: int,
) -> Fraction:  # fmt: skip
    """What a rank sends in these collectives of whole activations and of routed tokens, hop by hop."""
    tokens = Fraction(sum(s for _ in range(b_m)), c)
    sent = Fraction(0)
    for name in whole:
        for _ in ("attention", "shared experts")[: 2 if E_s else 1]:
            sent += COLLECTIVES[name](t, tokens * D * a).sent[0]
    for name in routed:
        received = sum((tokens / t * D * a for _ in range(k_E) for _ in range(t_e)), Fraction(0))
        sent += COLLECTIVES[name](t_e, received).sent[0]
    return sent
