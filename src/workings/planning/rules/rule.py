"""What a rule is: a condition over the letters of a plan, with its reason, derivation and source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from workings.derivation import Source

# An error stops the run or makes its numbers meaningless, a warning costs time or memory, a note is
# a practice that may well be left for a reason.
Severity = Literal["error", "warning", "note"]

# Shares of the reported memory, from the job: a search fills up to `x_go`, a review allows up to `x_if`.
GO, GO_IF = "x_go", "x_if"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of layouts.

    It applies where all of `when` hold, and then asks for `condition`. With `at`, the condition is
    asked of the layout changed so: "without a pipeline it would not fit". `change` names letters
    that may be moved to mend it, `beside` letters whose values belong into the message. `lighter` says
    that what makes a rank hold less may mend it. `entry` is the derivation that supports it, `text`
    where one of the five texts states it.
    """

    id: str
    title: str
    condition: str
    reason: str
    severity: Severity
    source: Source
    entry: str = ""
    when: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    at: Mapping[str, int] = field(default_factory=dict)
    text: str = ""
    lighter: bool = False
