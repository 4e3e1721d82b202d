"""How large the group may grow."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import RACE
from workings.derivations.data_parallel._race import MOST_RANKS, gather_is_hidden
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.units import ONE
from workings.vocabulary.data_parallel import DOUBLINGS


def double_the_group(h: int, **letters: Any) -> bool | None:
    """A group doubled that often; its gather really exchanged against a forward really multiplied."""
    ranks = 1
    for _ in range(h):
        ranks *= 2
        if ranks > MOST_RANKS:
            return None
    return gather_is_hidden(d=ranks, **letters)


FSDP_MOST_DOUBLINGS = derivation(
    "fsdp-most-doublings",
    title="Doublings of an FSDP group within which the forward hides the next gather",
    unit=ONE,
    noun="doublings",
    letters={"h": DOUBLINGS, **{name: concept for name, concept in RACE.items() if name != "d"}},
    given=("alpha > 0[s]",),
    source=KAKADE_ANAND,
    oracle=double_the_group,
    convention="A group of `2^h` devices; below 0 no group hides its gathers. Matrix products only.",
    leaves_out="A bandwidth that falls as the group leaves its node: then `W_b` is the slower link's.",
    chain="""
    alpha*h + w*P_u/W_b <= 2[FLOP]*b_m*s*P_u/C                  -- `h` start-ups, one a doubling
      <=> alpha*h <= (2[FLOP]*b_m*s/C - w/W_b)*P_u             -- the bytes do not grow with the group
      <=> h <= (2[FLOP]*b_m*s/C - w/W_b)*P_u/alpha             -- a group of at most `2^h`: huge
    """,
)
