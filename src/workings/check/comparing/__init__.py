"""Decides whether a step holds, and which known mistake explains it if not."""

from workings.check.comparing.compare import compare
from workings.check.comparing.explaining import explain
from workings.check.comparing.mistakes import MISTAKES
from workings.check.comparing.outcome import NONE, Assumptions, Outcome

__all__ = ["MISTAKES", "NONE", "Assumptions", "Outcome", "compare", "explain"]
