"""The decision tree of text 001, asked of a job, with the numbers that answer it."""

from workings.planning.decision.bands import BANDS, TEXT, Band, band_for
from workings.planning.decision.comparing import Comparison, beside_best
from workings.planning.decision.step import Decision, DecisionStep, Tried
from workings.planning.decision.telling import claimed, told
from workings.planning.decision.tree import decide

__all__ = [
    "BANDS",
    "TEXT",
    "Band",
    "Comparison",
    "Decision",
    "DecisionStep",
    "Tried",
    "band_for",
    "beside_best",
    "claimed",
    "decide",
    "told",
]
