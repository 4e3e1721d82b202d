"""Every concept once: its meaning, unit, domain, where a scenario supplies it, its glyph.

One letter per meaning cannot hold across the literature (S is message, state and sequence), so
concepts have names and derivations have letters: `letters={"N": GROUP, "S": MESSAGE}`. Scenarios,
`--set` and notations speak of concepts. Concepts that several topics share stand in `model`,
`training`, `memory`, `layout`, `hardware` and `collectives`; a module named for a topic holds what
only that topic speaks of.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from workings.vocabulary.concept import Concept

# Shared concepts come first, in this order; topics follow by name.
_SHARED = ("model", "training", "memory", "layout", "hardware", "collectives")


@cache
def concepts() -> tuple[Concept, ...]:
    """All concepts, in vocabulary order."""
    found = {path.stem for path in Path(__file__).parent.glob("*.py")}
    topics = sorted(found - {"__init__", "concept", *_SHARED})
    modules = [import_module(f"workings.vocabulary.{name}") for name in (*_SHARED, *topics)]
    return tuple(v for m in modules for v in vars(m).values() if isinstance(v, Concept))


@cache
def concept_named(name: str) -> Concept | None:
    """The concept of this name, if there is one."""
    return next((c for c in concepts() if c.name == name), None)
