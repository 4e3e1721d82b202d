"""Replicas of the experts: expert parallelism lies inside data parallelism."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.ranks._mesh import SIZES
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.units import ONE
from workings.vocabulary.layout import EDP, EP, ETP


def pack_ranks_into_sets_of_experts(
    t: int, c: int, p: int, d: int, t_e: int, e: int, d_e: int
) -> Fraction:
    """Ranks of stages of a world taken in turn for sets of experts, worlds added until none is open."""
    sets = open_places = worlds = 0
    while worlds == 0 or open_places:
        worlds += 1
        for _ in range(t * c * d):
            if open_places == 0:
                sets, open_places = sets + 1, t_e * e
            open_places -= 1
    return Fraction(sets, worlds)


EXPERT_REPLICAS = derivation(
    "expert-replicas",
    title="Replicas of the experts",
    unit=ONE,
    noun="devices",
    letters={**SIZES, "t_e": ETP, "e": EP, "d_e": EDP},
    source=MEGATRON_WORLD,
    oracle=pack_ranks_into_sets_of_experts,
    convention="Expert-parallel ranks are data-parallel ranks of the dense part, and a stage holds as "
    "many ranks either way.",
    chain="""
    t*c*p*d = t_e*e*p*d_e                -- both meshes cover the same world
      <=> t*c*d = t_e*e*d_e              -- with the same stages: the ranks of one stage
      <=> d_e = t*c*d/(t_e*e)            -- divide by a set of experts
    """,
)
