"""What a layout must fulfil, in words and as a function of its letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Constraint(NamedTuple):
    """What a layout must fulfil: `holds` of the letters it names, whole numbers or arrays of them."""

    words: str
    holds: Callable[..., Any]

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters it is about: the names of the arguments."""
        return self.holds.__code__.co_varnames[: self.holds.__code__.co_argcount]

    def allows(self, layout: Mapping[str, int]) -> bool:
        """Whether one layout fulfils it."""
        return bool(self.holds(*(layout[name] for name in self.letters)))
