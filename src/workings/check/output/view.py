"""Which statements are shown, and how words of a document are made harmless to look at."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from workings.check.verdicts import Checked, Statement, Verdict

# What a reader need not look at unless asked: right to the printed digits, undecided, not understood.
QUIET: tuple[Verdict, ...] = ("ok", "rounds", "undecided", "not understood")
SPACE = re.compile(r"[ \t\r\n]+")
COMMAND = re.compile(r"^::|##\[")
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

Paint: TypeAlias = Callable[[str, str], str]


def unpainted(words: str, _style: str) -> str:
    """The words as they are."""
    return words


@dataclass(frozen=True, slots=True)
class View:
    """What to show: `only` these verdicts if any are named, everything if `verbose`.

    `paint` colours words for a terminal; its second argument is a verdict, `place` or `detail`.
    """

    only: tuple[Verdict, ...] = ()
    verbose: bool = False
    paint: Paint = unpainted

    def shows(self, statement: Statement) -> bool:
        """Whether a format for readers shows this statement."""
        if self.only:
            return statement.verdict in self.only
        return self.verbose or statement.verdict not in QUIET

    def of(self, checked: Checked) -> list[Statement]:
        """The statements of a document that are shown."""
        return [statement for statement in checked.statements if self.shows(statement)]


def visible(words: str) -> str:
    """Words of a document on one line; what would act or hide is spelled out, such as `\\u202e`.

    Terminals obey control characters, readers are misled by those that turn the direction of writing
    or take no room, and logs of build servers obey lines that begin with `::` or hold `##[`.
    """
    spaced = " ".join(part for part in SPACE.split(words) if part)
    seen = "".join(_spelled(c) if unicodedata.category(c) in UNSEEN else c for c in spaced)
    return COMMAND.sub(lambda found: _spelled(found[0][0]) + found[0][1:], seen)


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def without_middle(words: str, most: int = 160) -> str:
    """`visible` words, of which the middle is left out where they get long: a formula with its values."""
    seen = visible(words)
    if len(seen) <= most:
        return seen
    behind = most // 3
    return f"{seen[: most - behind - 3]} … {seen[-behind:]}"


def shortened(words: str, most: int = 240) -> str:
    """`visible` words, cut where they get long."""
    seen = visible(words[: 2 * most])
    return seen if len(seen) <= most and len(words) <= 2 * most else seen[: most - 1] + "…"
