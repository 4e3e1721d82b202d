"""What a rank hands to experts."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._letters import ROUTING, TOKENS
from workings.derivations.experts.loads import RANK_TOKENS, deal_a_micro_batch
from workings.derivations.hierarchy._letters import VECTOR
from workings.derivations.hierarchy._sources import DEEPSEEK_OVERLAP
from workings.simulate.routing import even_routes
from workings.units import BYTE


def copy_for_every_expert(
    b_m: int, s: int, c: int, t: int, E: int, k_E: int, D: int, a: Fraction
) -> Fraction:
    """A token's route looked up; its vector copied for every expert on it."""
    (route,) = even_routes(1, E, k_E)
    copies = sum((a for _ in route for _ in range(D)), Fraction(0))
    return deal_a_micro_batch(b_m, s, c, t) * copies


EP_MESSAGE = derivation(
    "ep-message",
    title="Expert-parallel message",
    unit=BYTE,
    letters={**TOKENS, **ROUTING, **VECTOR},
    uses={"T": RANK_TOKENS.at()},
    given=("k_E <= E", "c*t divides s"),
    source=DEEPSEEK_OVERLAP,
    oracle=copy_for_every_expert,
    convention="All copies of a rank's tokens, those for its own experts included; no capacity.",
    leaves_out="What a fixed capacity pads; sending a token to a node only once.",
    chain="""
    S_ep = sum(T*D*a, (i, 1, k_E))       -- a copy of every token for each of its experts
      = k_E*T*D*a                        -- equal copies
      = k_E*b_m*s*D*a/(c*t)              -- put the tokens in
    """,
)
