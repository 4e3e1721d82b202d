"""How an entry is proved and counted, in sentences for newcomers, from the verdicts on file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workings.derivation import Derivation
from workings.document.blocks import Block, Items, Prose, Text
from workings.document.provenance import standing_words
from workings.site.saying import unit_of
from workings.units import ONE
from workings.verification.verified import fresh

# What the prover writes of a step, and what that means: `\1` is what it names.
METHODS = (
    (r"SymPy: the difference is 0", "SymPy simplifies its difference from the line above to 0"),
    (r"SymPy: the difference is 0 once results are put in",
     "with the formulas of the results that it uses put in, SymPy simplifies its difference from the "
     "line above to 0"),
    (r"the difference factors into parts of known sign",
     "its difference from the line above factors into parts whose signs are known, and so has one sign"),
    (r"the quotient of the two gaps is positive",
     "what one side exceeds the other by has the same sign in the condition above as in this one, so "
     "that where one of them holds the other does"),
    (r"the quotient's limit is 1 as (.*)", r"the line above divided by it tends to 1 as \1"),
    (r"reached there, and nowhere lower for (.*)",
     r"its value is reached there, and none is lower for \1"),
    (r"agrees at (\d+) points; SymPy does not decide it",
     r"it is not proved: it is exact at \1 points, and SymPy does not decide it for all values"),
    (r"largest error on the probes (.*)",
     r"an approximation: at the points tried its largest relative error is \1"),
)  # fmt: skip
TRIED = (
    "Before that, {} was compared with the one above at exact, awkward points (ones, primes, "
    "numbers that do not divide each other), and the units were checked: the result is {}."
)
COUNTED = (
    "A proof of the steps does not notice a first line that is wrong. So the result was counted a second "
    "way, by a program of its own: {}. Program and formula agree at all {} points that were tried. The "
    "program stands at the end of this page."
)


def proved(what: Derivation) -> Iterator[Block]:
    """What is known of its steps and of its first line, or that nothing is on file."""
    entry = fresh(what)
    if entry is None:
        yield Prose((Text(standing_words(what)),))
        return
    yield from _steps(entry, what)
    said = "Nothing counts the result a second way."
    if what.counted:
        said = COUNTED.format(what.counted.rstrip("."), entry["oracle"]["points"])
    yield Prose((Text(said),))


def _steps(entry: Mapping[str, Any], what: Derivation) -> Iterator[Block]:
    """Which lines follow from the one above by what, the lines of a kind together."""
    steps = entry["steps"]
    if not steps:
        yield Prose((Text("The result is its first line: there is no step to prove."),))
        return
    many = "The line below the first is"
    if len(steps) > 1:
        many = f"All {len(steps)} lines below the first are"
    everywhere = all(step["word"] == "proved" for step in steps)
    said = "proved for all values that the letters may have" if everywhere else "checked"
    yield Prose((Text(f"{many} {said}, with SymPy {entry['sympy']}:"),))
    kinds: dict[str, list[int]] = {}
    for line, step in enumerate(steps, 2):
        kinds.setdefault(in_words(step["how"]), []).append(line)
    yield Items(tuple((Prose((Text(f"{_lines(lines)}: {how}."),)),) for how, lines in kinds.items()))
    limits = any(step["relation"] == "limit" for step in steps)  # a limit has no points
    tried = "each line that is no limit" if limits else "each line"
    yield Prose(
        (Text(TRIED.format(tried, "a plain number" if what.unit == ONE else f"in {unit_of(what)}")),)
    )


def in_words(how: str) -> str:
    """A method of the prover in words; one that has none here stays as it is recorded."""
    for pattern, words in METHODS:
        if found := re.fullmatch(pattern, how):
            return found.expand(words)
    return how


def _lines(lines: Sequence[int]) -> str:
    """`Line 2`, `Lines 2 and 3`, `Lines 2 to 4`, `Lines 2, 3 and 5`."""
    if len(lines) == 1:
        return f"Line {lines[0]}"
    first, last = lines[0], lines[-1]
    if len(lines) > 2 and last - first == len(lines) - 1:
        return f"Lines {first} to {last}"
    return f"Lines {', '.join(map(str, lines[:-1]))} and {last}"
