"""What a job leaves out and a plan takes for granted, in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workings.planning.job import Job

_SECTIONS = ("launch", "layout", "training")
_LEFT_OUT = ("training_tokens",)  # no rule of layouts rests on it
_WIDTHS = "*_width"


def assumed_lines(job: Job, width: int = 100) -> list[str]:
    """The defaults of layout and training that a job got, wrapped; none where it says everything."""
    parts = list(_parts(job))
    if not parts:
        return []
    text = f"assumed  where nothing is said: {'; '.join(parts)}"
    return wrapped(text, width)


def wrapped(text: str, width: int = 100) -> list[str]:
    """Lines of a terminal's width, all but the first below the words behind a label."""
    return wrap(text, width, subsequent_indent=" " * 9, break_long_words=False, break_on_hyphens=False)


def _parts(job: Job) -> Iterator[str]:
    for noted in job.noted:
        section, _, key = noted.key.rpartition(".")
        if noted.remark != "defaulted" or section not in _SECTIONS or key in _LEFT_OUT:
            continue
        value, colon, why = noted.text.partition(": ")
        if key == _WIDTHS:
            value, why = _widths(job, value.split(", ")), why or value
        why = why.removeprefix("assumed: ")
        name = "bytes a value:" if key == _WIDTHS else key
        yield f"{name} {value.strip(chr(39))}" + (f" ({why})" if colon else "")


def _widths(job: Job, names: list[str]) -> str:
    """Bytes by kind of value: `master 4, reduce 4`."""
    by_name = {figure.concept.name: figure for figure in job.figures.values()}
    return ", ".join(f"{name.removesuffix('_width')} {by_name[name].value}" for name in names)
