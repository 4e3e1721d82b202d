"""The smallest degree at which a context fits."""

from workings.derivation import derivation
from workings.derivations.context_parallel._sources import LLAMA_3_CP
from workings.simulate.block_matrices import spans
from workings.units import ONE
from workings.vocabulary.context_parallel import DEVICE_TOKENS
from workings.vocabulary.training import SEQUENCE_LENGTH


def add_ranks_until_it_fits(s: int, s_max: int) -> int:
    """Ranks added one by one, the sequence dealt out anew, until none holds too many tokens."""
    ranks = 1
    while max(map(len, spans(s, ranks))) > s_max:
        ranks += 1
    return ranks


CP_DEGREE = derivation(
    "cp-degree",
    title="Context-parallel degree that a context needs",
    unit=ONE,
    noun="devices",
    letters={"s": SEQUENCE_LENGTH, "s_max": DEVICE_TOKENS},
    source=LLAMA_3_CP,
    oracle=add_ranks_until_it_fits,
    convention="The smallest whole degree; dealing out zig-zag needs `2*c` to divide the sequence.",
    chain="""
    c_min = ceil(s/s_max)          -- the fullest rank has `s/c` tokens, rounded up
    """,
)
