"""What a job's inputs ask for and the plan does not follow, or takes otherwise, by what that may cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workings.planning.job import Noted
from workings.planning.precision import asked_for

TOLD, NAMED = 3, 6  # keys told with their reason, and keys named behind them
FP8 = (
    "the plan computes in 16 bits at the 16-bit peak: matrix products may take half as long as it says, "
    "and weights or activations fewer bytes"
)
NO_USE = "the plan has no use for it"
NO_MATTER = "moves neither memory nor time"  # and needs no word on a page to sign
MEETING = "it says where processes meet and what they write, not what they compute"
IN_FP32 = "all is in FP32"  # how what is said of FP32 products begins
# Keys that move memory or time, the heaviest first, after the precision of the products, which moves
# both most.
_MOVES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"optimizer$", r"window|attention|variant|hybrid|heterogeneous", r"recompute|checkpoint|offload",
        r"mtp|nextn|moe|expert|capacity", r"layout|pipeline|schedule|cp_comm|replica|zero|shard",
        r"float|dtype|overlap|batch",
    )
)  # fmt: skip
_CONTRADICTS, _NEXT = 1, 2


def taken(noted: Sequence[Noted]) -> str:
    """What is given and counts otherwise than it stands there; nothing where nothing does."""
    found = list(dict.fromkeys(
        f"{one.key} ({one.text})" for one in noted
        if one.remark == "taken" and not one.text.startswith(NO_MATTER)
    ))  # fmt: skip
    return f"Taken otherwise than one may expect: {'; '.join(found)}." if found else ""


def unfollowed(noted: Sequence[Noted], inputs: str = " (see Inputs)") -> str:
    """The heaviest with what they mean, others by their names; nothing where all is followed."""
    keys = _by_text(noted)
    if not keys:
        return ""
    heavy = [text for text in keys if text != NO_USE][:TOLD]
    told = "; ".join(f"{', '.join(keys[text])} ({text})" for text in heavy)
    rest = [key for text, some in keys.items() if text not in heavy for key in some]
    named = ", ".join(rest[:NAMED])
    more = f" and {len(rest) - NAMED} more" if len(rest) > NAMED else ""
    light = f"{'; further ' if heavy else ''}{named}{more}" if rest else ""
    return f"Asked for and not followed, the heaviest first: {told}{light}{inputs}."


def told(noted: Sequence[Noted]) -> Iterator[tuple[str, str]]:
    """For a terminal: a label, and what is taken otherwise or heavy and not followed; often nothing."""
    heavy = [one for one in noted if not one.text.endswith(NO_USE)]
    for label, words in (("taken", taken(heavy)), ("ignored", unfollowed(heavy, ""))):
        if words:
            yield label, words


def _by_text(noted: Sequence[Noted]) -> dict[str, list[str]]:
    """The keys that are not followed by what is said of them, the heaviest first."""
    found = [
        one for one in noted
        if one.remark in ("ignored", "contradicts") and not one.text.endswith(MEETING)
    ]  # fmt: skip
    keys: dict[str, list[str]] = {}
    for one in sorted(found, key=_weight):
        text = NO_USE if one.text.endswith(NO_USE) else one.text
        same = keys.setdefault(FP8 if asked_for(one) else text, [])
        if one.key not in same:
            same.append(one.key)
    return keys


def _weight(one: Noted) -> int:
    """From what changes every matrix product down to what the plan has no use for."""
    lightest = _NEXT + len(_MOVES) + 1
    if asked_for(one) or one.text.startswith(IN_FP32):
        return 0
    if one.remark == "contradicts":
        return _CONTRADICTS
    if one.text.endswith(NO_USE):
        return lightest
    key = one.key.replace("-", "_")
    return next((_NEXT + at for at, moves in enumerate(_MOVES) if moves.search(key)), lightest - 1)
