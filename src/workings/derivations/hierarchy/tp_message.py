"""What a tensor-parallel group reduces."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._letters import TOKENS
from workings.derivations.experts.loads import RANK_TOKENS, deal_a_micro_batch
from workings.derivations.hierarchy._letters import VECTOR
from workings.derivations.hierarchy._sources import MEGATRON_MESSAGES
from workings.units import BYTE


def collect_from_the_group(b_m: int, s: int, c: int, t: int, D: int, a: Fraction) -> Fraction:
    """The vectors of all tokens that the ranks of one group hold."""
    vector = sum((a for _ in range(D)), Fraction(0))
    return sum((deal_a_micro_batch(b_m, s, c, t) * vector for _ in range(t)), Fraction(0))


TP_MESSAGE = derivation(
    "tp-message",
    title="Tensor-parallel message",
    unit=BYTE,
    letters={**TOKENS, **VECTOR},
    uses={"T": RANK_TOKENS.at()},
    given=("c*t divides s",),
    source=MEGATRON_MESSAGES,
    oracle=collect_from_the_group,
    convention="The whole message of an all-reduce, or of an all-gather and a reduce-scatter instead.",
    chain="""
    S_tp = sum(T*D*a, (i, 1, t))     -- the activations of all tokens of the group
      = t*T*D*a                      -- equal ranks
      = b_m*s*D*a/c                  -- put the tokens in: does not depend on `t`
    """,
)
