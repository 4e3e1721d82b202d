"""Derivations by words: the one place that says which are meant, and in what order."""

from __future__ import annotations

from workings import catalogue
from workings.derivation import Derivation


def ranked(words: str, topic: str | None = None) -> tuple[str, ...]:
    """The ids of derivations (of a topic) that the words mean, the best first; all without words.

    Every word stands in the id or the title; those whose ids have more of them come first.
    """
    wanted = words.lower().split()
    found = [w for w in catalogue.every(topic) if all(word in _text(w) for word in wanted)]
    found.sort(key=lambda what: -sum(word in what.id for word in wanted))  # equal ones stay in order
    return tuple(what.id for what in found)


def _text(what: Derivation) -> str:
    return f"{what.id} {what.title}".lower()
