"""How an MFU counts attention: half of the scores, as a causal mask leaves them, all of them, or none.

No time depends on it: it only says how many of a step's FLOPs are called the model's.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.planning.exact import exactly
from workings.planning.statement import Plan

COUNTED = "kappa_u"  # the letter of the share of attention's scores that counts
HALF, ALL, NONE = Fraction(1, 2), Fraction(1), Fraction(0)
COUNTS: Mapping[str, Fraction] = {"causal": HALF, "full": ALL, "none": NONE}  # as a source may count
OF_COUNT = ("u", "C_u")  # results that hang on it
_SHORT = {HALF: "causal", ALL: "all scores", NONE: "no scores"}
_LONG = {
    HALF: "half of attention's scores counted (causal)",
    ALL: "all of attention's scores counted",
    NONE: "attention's scores not counted",
}


def in_short(share: Fraction) -> str:
    """A count in a word or two."""
    return _SHORT.get(share) or f"{_percent(share)} of the scores"


def in_words(share: Fraction) -> str:
    """A count in a clause."""
    return _LONG.get(share) or f"{_percent(share)} of attention's scores counted"


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.3g} %"


def mfu_named(values: Mapping[str, Fraction]) -> str:
    """`MFU, causal`, at the head of a column; a model without attention has one MFU alone."""
    return f"MFU, {in_short(values[COUNTED])}" if values["z_h"] else "MFU"


def mfu_said(values: Mapping[str, Fraction]) -> str:
    """`MFU (causal)`, in a sentence."""
    return f"MFU ({in_short(values[COUNTED])})" if values["z_h"] else "MFU"


def recounted(plan: Plan, given: Mapping[str, Fraction], letter: str, share: Fraction | None) -> Fraction:
    """A result of a job, with another share of attention's scores counted where one is named."""
    counted = {} if share is None else {COUNTED: share}
    return exactly(plan, {**given, **counted}, [letter])[letter]
