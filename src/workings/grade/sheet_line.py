"""The line of a sheet that says whose it is, where a hand-in copies it: `Variant s1042 · 2c7c41`."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from workings.grade.clauses import listed

MOST = 20  # such lines of one hand-in
FIRST = 1000  # characters in which the first line of a form stands


class Sheet(NamedTuple):
    """A variant and its hash, as a sheet says them."""

    variant: str
    hash: str

    def __str__(self) -> str:
        return f"{self.variant} · {self.hash}"


def sheets_in(text: str) -> tuple[Sheet, ...]:
    """The sheets that a hand-in says it answers, each once: in Markdown, LaTeX and notebooks."""
    found = (
        Sheet(one["name"].replace("\\", ""), one["hash"].casefold()) for one in _pattern().finditer(text)
    )
    return tuple(dict.fromkeys(one for one, _ in zip(found, range(MOST), strict=False)))


def form_version(text: str) -> str:
    """The hash at the end of the first line of an answer form; nothing where there is none."""
    found = _form().match(text[:FIRST])
    return found["hash"] if found else ""


@cache
def _form() -> re.Pattern[str]:
    """A word for a form, its title, and six digits of a hash."""
    words = "|".join(map(re.escape, sorted(listed("form"))))
    return re.compile(rf"[\s\ufeff#*_>]*(?:{words})[^\n]*\s(?P<hash>[0-9a-f]{{6}})[\s*_]*$", re.I | re.M)


def remarks_on(text: str, variant: str) -> tuple[str, ...]:
    """What a grader is told where a hand-in copies another sheet than that of the key."""
    others = [str(one) for one in sheets_in(text) if str(one).casefold() != variant.casefold()]
    if not others:
        return ()
    said = f"the key is of variant {variant}" if variant else "the key is of no variant"
    return (f"found the sheet of variant {', '.join(others)} in this hand-in, and {said}",)


@cache
def _pattern() -> re.Pattern[str]:
    """A word for a variant, its name, a sign between as formats write it, six digits of the hash."""
    words = "|".join(map(re.escape, sorted(listed("variant"))))
    sign = r"(?:[·•∙⋅|,:/-]|\\{1,2}u00b7|\\{1,2}cdot|\\{1,2}textperiodcentered|&middot;)"
    return re.compile(
        rf"(?:{words})[\s:]{{1,3}}(?P<name>[A-Za-z0-9][A-Za-z0-9._@+\\-]{{0,80}})"
        rf"[\s*]{{0,3}}(?:\\{{1,2}}ensuremath)?[${{(\s]{{0,3}}{sign}[$}}{{)\s*]{{0,4}}"
        r"(?P<hash>[0-9a-f]{6})(?![0-9A-Za-z])",
        re.IGNORECASE,
    )
