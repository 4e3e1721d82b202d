"""Wall time of a run that checkpoints and restarts."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._letters import FAILING
from workings.derivations.running._sources import LLAMA_3_RELIABILITY
from workings.derivations.running.goodput_best import GOODPUT_BEST, search_for_the_most
from workings.derivations.scale.runs import RUN, TRAINING_TIME, train_every_token
from workings.units import SECOND
from workings.vocabulary.running import RESTART_TIME


def stretch_the_run(
    P: int, T_tok: int, n: int, C: Fraction, u: Fraction, M_d: Fraction, delta: Fraction, R: Fraction
) -> tuple[Fraction, Fraction]:
    """Every token trained; the clock stretched by the best goodput a search over intervals finds."""
    good = train_every_token(P, T_tok, n, C, u)
    low, high = search_for_the_most(n, M_d, delta, R)
    return good / high, good / low


WALL_TIME = derivation(
    "wall-time",
    title="Wall time of a run that checkpoints and restarts",
    unit=SECOND,
    letters={**RUN, **FAILING, "R": RESTART_TIME},
    uses={"T_run": TRAINING_TIME.at(), "gamma_best": GOODPUT_BEST.at()},
    source=LLAMA_3_RELIABILITY,
    oracle=stretch_the_run,
    convention="First order; the best interval; 6 FLOPs a parameter and token.",
    chain="""
    T_wall = T_run/gamma_best                -- only the time whose work is kept counts
      = 6[FLOP]*P*T_tok/(n*C*(u*gamma_best)) -- effective MFU is MFU times goodput
    """,
)
