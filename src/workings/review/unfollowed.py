"""What a job's inputs ask for and the model does not follow, by what that may cost the plan."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workings.planning.job import Noted
from workings.planning.precision import asked_for

TOLD, NAMED = 3, 6  # keys told with their reason, and keys named behind them
FP8 = (
    "the plan computes in 16 bits at the 16-bit peak: matrix products may take half as long as it says, "
    "and weights or activations fewer bytes"
)
NO_USE = "the plan has no use for it"
# Keys that move memory or time, after the precision of the products, which moves both most.
_MOVES = re.compile(
    r"recompute|checkpoint|offload|mtp|layout|pipeline|schedule|sliding_window|float|dtype|cp_comm|replica|"
    r"moe|expert|attention|overlap|batch|zero|shard",
    re.IGNORECASE,
)


def unfollowed(noted: Sequence[Noted]) -> str:
    """The heaviest with what they mean, others by their names; nothing where all is followed."""
    found = [one for one in noted if one.remark in ("ignored", "contradicts")]
    if not found:
        return ""
    keys: dict[str, list[str]] = {}  # by what is said of them
    for one in sorted(found, key=_weight):
        same = keys.setdefault(FP8 if asked_for(one) else one.text, [])
        if one.key not in same:
            same.append(one.key)
    heavy = [text for text in keys if text != NO_USE][:TOLD]
    told = "; ".join(f"{', '.join(keys[text])} ({text})" for text in heavy)
    rest = [key for text, some in keys.items() if text not in heavy for key in some]
    named = ", ".join(rest[:NAMED])
    more = f" and {len(rest) - NAMED} more" if len(rest) > NAMED else ""
    light = f"{'; further ' if heavy else ''}{named}{more}" if rest else ""
    return f"Asked for and not followed, the heaviest first: {told}{light} (see Inputs)."


def _weight(one: Noted) -> int:
    """From what changes every matrix product down to what the plan has no use for."""
    if asked_for(one):
        return 0
    if one.remark == "contradicts":
        return 1
    if one.text == NO_USE:
        return 4
    return 2 if _MOVES.search(one.key) else 3
