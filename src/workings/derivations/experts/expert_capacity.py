"""Room an expert keeps for the tokens of one rank."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens
from workings.derivations.experts._letters import ROUTING, TOKENS
from workings.derivations.experts._sources import MEGATRON_CAPACITY
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.units import ONE
from workings.vocabulary.experts import CAPACITY_FACTOR


def add_places_until_enough(
    b_m: int, s: int, c: int, t: int, E: int, k_E: int, phi: Fraction
) -> int | None:
    """Places added to every expert, one by one, until they hold the copies and the spare room."""
    copies = k_E * dealt_tokens(b_m, s, c, t)
    places = each = 0
    while places < phi * copies:
        places += E
        each += 1
        if each > 20_000:
            return None
    return each


EXPERT_CAPACITY = derivation(
    "expert-capacity",
    title="Places an expert keeps for one rank's tokens",
    unit=ONE,
    noun="tokens",
    letters={**TOKENS, **ROUTING, "phi": CAPACITY_FACTOR},
    uses={"T": RANK_TOKENS.at()},
    given=("k_E <= E", "c*t divides s"),
    source=MEGATRON_CAPACITY,
    oracle=add_places_until_enough,
    convention="Rounded up to whole tokens, as Megatron does (MegaBlocks rounds down).",
    chain="""
    C_E = ceil(phi*(sum(T, (i, 1, k_E))/E))   -- the even share of all copies, and room to spare
      = ceil(phi*k_E*T/E)                     -- equal terms
      = ceil(phi*k_E*b_m*s/(c*t*E))           -- put the tokens in
    """,
)
