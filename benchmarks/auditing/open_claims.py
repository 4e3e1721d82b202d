"""Claims that a text leaves open: something it does not say decides whether they hold.

Such a claim says what is `open` and lists, as `[[claim.case]]`, in which ways it may be filled in. Each
case is judged like a claim of its own; where all come to one verdict, that is the claim's, and what is
open does not matter. Where it holds in one case and not in another, it is not decidable from the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workings.errors import UserError

OPEN = "not decidable from the text"
KEYS = ("open", "case")


def cases_of(claim: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The name of each case and the claim filled in with it; none where nothing is open.

    Raises UserError.
    """
    cases = claim.get("case", [])
    if bool(cases) != ("open" in claim) or len(cases) == 1:
        raise UserError(f"found {len(cases)} case, expected open with two or more [[claim.case]]")
    if cases and "reading" in claim:
        raise UserError("found reading beside case, expected one of them")
    whole = {key: value for key, value in claim.items() if key not in KEYS}
    return [(str(case.get("name", "")), filled(whole, case)) for case in cases]


def filled(claim: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """A claim with what a case or a reading of it says: its letters beside those of the claim."""
    letters = {**claim.get("letters", {}), **case.get("letters", {})}
    rest = {key: value for key, value in case.items() if key != "name"}
    return {**claim, **rest, **({"letters": letters} if letters else {})}


def together(verdicts: Sequence[str], right: Sequence[str]) -> str:
    """One verdict of several: the weakest where all are `right`, a common one, or that it is open."""
    if all(verdict in right for verdict in verdicts):
        return max(verdicts, key=right.index)
    common = set(verdicts)
    return common.pop() if len(common) == 1 else OPEN


def in_words(what: str, cases: Sequence[tuple[str, str]]) -> str:
    """The verdicts of the cases: `It does not say what k is. Segments: wrong; blocks: agrees.`."""
    return f"{what}. {'; '.join(f'{name}: {said}' for name, said in cases)}."
