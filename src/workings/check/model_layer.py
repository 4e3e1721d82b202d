"""A formula of a document beside the catalogue's: `<!-- workings: ring-all-reduce N=p S=m -->`.

The comment stands on the line of a formula or above it. `N=p` says that the document writes p where
the catalogue writes N; letters that are not mentioned mean the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from workings import catalogue
from workings.catalogue import UnknownDerivationError
from workings.check.blocks import Document
from workings.check.comparing import Outcome, compare
from workings.check.steps import Judgement, Step
from workings.check.verdicts import Explanation
from workings.derivation import Derivation
from workings.evaluation import unfolded
from workings.formula import Expr, Name, names_in, plain, substitute

_NAMED = re.compile(r"workings:\s*([a-z0-9]+(?:-[a-z0-9]+)+)((?:\s+[A-Za-z]\w*=\w+)*)\s*(?:-->)?\s*$")
_NOT_IDS = ("ignore-file", "ignore-line")


@dataclass(frozen=True, slots=True)
class Named:
    """A derivation that a comment names, and how the document writes its letters."""

    offset: int
    id: str
    letters: dict[str, str]


def named_in(document: Document) -> Iterator[Named]:
    """The comments that name an entry of the catalogue."""
    for offset, comment in document.comments:
        match = _NAMED.search(comment.strip())
        if match and match[1] not in _NOT_IDS:
            pairs = (part.split("=", 1) for part in match[2].split())
            yield Named(offset, match[1], dict(pairs))


def step_meant(named: Named, steps: Sequence[Step], document: Document) -> Step | None:
    """The first formula with letters on the comment's line or below it."""
    line = document.place(named.offset)[0]
    below = [
        s for s in steps
        if document.place(s.offset)[0] >= line and s.right.expression is not None
        and names_in(s.right.expression) and s.relation in ("=", "≈")
    ]  # fmt: skip
    return min(below, key=lambda s: (s.offset, s.index), default=None)


def beside_catalogue(named: Named, step: Step) -> tuple[Judgement, tuple[Explanation, ...]]:
    """The document's formula against the derivation's result."""
    written = step.right.expression
    assert written is not None  # noqa: S101 - chosen so
    try:
        what = catalogue.get(named.id)
    except UnknownDerivationError as error:
        return Judgement(Outcome("undecided", reason=str(error)), "model"), ()
    ours = _ours(what, named.letters)
    read_as = f"{plain(written)}, where {what.id} gives {plain(ours)}"
    strange = [name for name in names_in(written) if name not in names_in(ours)]
    outcome = compare(ours, "=", written)
    if outcome.verdict == "undecided" and strange:
        reason = f"{what.id} has no letter {strange[0]}, expected one of {', '.join(names_in(ours))}"
        outcome = Outcome("undecided", reason=reason, written=plain(written), expected=plain(ours))
    if outcome.verdict == "wrong":
        said = outcome.reason.replace("left side is", f"{what.id} gives").replace(
            "right side", "the page"
        )
        outcome = replace(outcome, reason=said)
    found = Judgement(outcome, "model", read_as, (ours, written))
    return found, tuple(_instead(what, written, named)) if outcome.verdict in ("wrong", "unit") else ()


def _ours(what: Derivation, letters: dict[str, str]) -> Expr:
    """The result down to letters, in the document's letters."""
    return substitute(unfolded(what), {ours: Name(theirs) for ours, theirs in letters.items()})


def _instead(what: Derivation, written: Expr, named: Named) -> Iterator[Explanation]:
    """Other entries of the topic whose formula was written."""
    topic = catalogue.files()[what.id].parent.name
    for other in catalogue.every(topic):
        if other.id == what.id or other.unit != what.unit or other.head is None:
            continue
        ours = _ours(other, named.letters)
        if set(names_in(ours)) == set(names_in(written)) and compare(ours, "=", written).verdict == "ok":
            yield Explanation("another-formula", f"this is the formula of {other.id}: {other.title}")
            return
