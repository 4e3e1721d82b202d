"""What a pipeline stage hands on."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._letters import TOKENS
from workings.derivations.experts.loads import RANK_TOKENS, deal_a_micro_batch
from workings.derivations.hierarchy._letters import VECTOR
from workings.derivations.hierarchy._sources import MEGATRON_MESSAGES
from workings.units import BYTE


def hand_on_what_a_rank_holds(b_m: int, s: int, c: int, t: int, D: int, a: Fraction) -> Fraction:
    """The vectors of the tokens dealt to one rank."""
    vector = sum((a for _ in range(D)), Fraction(0))
    return deal_a_micro_batch(b_m, s, c, t) * vector


PP_MESSAGE = derivation(
    "pp-message",
    title="Pipeline message",
    unit=BYTE,
    letters={**TOKENS, **VECTOR},
    uses={"T": RANK_TOKENS.at()},
    given=("c*t divides s",),
    source=MEGATRON_MESSAGES,
    oracle=hand_on_what_a_rank_holds,
    convention="Each rank hands on its own tokens, as with sequence parallelism; without it every rank "
    "sends `t` times as much.",
    chain="""
    S_pp = sum(T*a, (i, 1, D))      -- a vector of `D` activations for each token a rank holds
      = T*D*a                       -- equal values
      = b_m*s*D*a/(c*t)             -- put the tokens in
    """,
)
