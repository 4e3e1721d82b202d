"""The scores as Markdown tables and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from heldouts.groups import ALL, Group, Pick, group, groups
from heldouts.scoring import Ranged, Score, Scored

WORST = 15
WORDS = ("GO", "GO IF", "NO-GO")
_HEAD = ("", "rows", "sources", "median error", "signed", "inside", "high/low",
         "inside published", "of rows", "its high/low", "")  # fmt: skip
_BY: Mapping[str, Callable[[Score], str]] = {
    "devices and precision": lambda score: score.device,
    "framework": lambda score: score.program,
    "model": lambda score: score.size,
    "source": lambda score: score.source,
}


def step_of(score: Score) -> Ranged | None:
    """The step time."""
    return score.step


def memory_of(score: Score) -> Ranged | None:
    """The peak of memory, where one is printed."""
    return score.memory


def text(found: Scored) -> str:
    """All tables."""
    return "\n".join(_lines(found))


def reasons(refused: Mapping[str, Sequence[str]]) -> str:
    """How many rows are refused, a kind a row."""
    kinds = sorted(refused.items(), key=lambda one: (-len(one[1]), one[0]))
    return table(("refused", "rows", "such as"), [(k, str(len(n)), n[0]) for k, n in kinds])


def data(found: Scored) -> dict[str, Any]:
    """Everything as plain data."""
    return {
        "rows": [asdict(score) for score in found.scores],
        "refused": {kind: list(names) for kind, names in found.refused.items()},
        "step": {name: [asdict(g) for g in some] for name, some in _tables(found, step_of).items()},
        "memory": {name: [asdict(g) for g in some] for name, some in _tables(found, memory_of).items()},
    }


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, marks, *rows))


def _tables(found: Scored, pick: Pick) -> dict[str, list[Group]]:
    named = {**_BY, "what is printed": lambda score: score.what} if pick is memory_of else _BY
    some = [score for score in found.scores if pick(score)]
    if not some:
        return {}
    return {ALL: [group(ALL, some, pick)], **{n: groups(some, by, pick) for n, by in named.items()}}


def _lines(found: Scored) -> Iterator[str]:
    total = len(found.scores) + sum(map(len, found.refused.values()))
    yield f"{len(found.scores)} of {total} rows scored.\n\n{reasons(found.refused)}"
    for what, pick in (("Step time", step_of), ("Peak memory", memory_of)):
        for name, some in _tables(found, pick).items():
            yield f"\n{what}, by {name}:\n"
            yield table(_HEAD, [_row(one) for one in some])
    yield "\nRuns that took place, by what is said of their memory:\n"
    yield _said(found.scores)
    yield f"\nThe {WORST} rows that are farthest off:\n"
    yield _worst(found.scores)


def _row(one: Group) -> tuple[str, ...]:
    share = "–" if one.likely is None else f"{one.likely * 100:.0f} %"
    width = "–" if one.likely_width is None else f"{one.likely_width:.2f}"
    return (
        one.name, str(one.rows), str(one.sources), f"{one.off * 100:.1f} %", f"{one.signed * 100:+.1f} %",
        f"{one.inside * 100:.0f} %", f"{one.width:.2f}", share, str(one.told), width,
        "" if one.validated else "not validated",
    )  # fmt: skip


def _said(scores: Sequence[Score]) -> str:
    """Verdicts on memory by devices, and the runs that a rule forbids."""
    rows = []
    for name in (ALL, *sorted({score.device for score in scores})):
        some = [score for score in scores if name in (ALL, score.device)]
        words = Counter(score.word for score in some)
        forbidden = Counter(rule for score in some for rule in score.broken)
        told = ", ".join(f"{rule} {count}" for rule, count in forbidden.most_common())
        over = sum(score.share > 1 for score in some)
        rows.append((name, str(len(some)), *(str(words[word]) for word in WORDS), str(over), told))
    return table(("", "runs", *WORDS, "above all of it", "forbidden by rules"), rows)


def _worst(scores: Sequence[Score]) -> str:
    rows = [
        (one.name, one.device, f"{one.step.published:.4g} s", f"{one.step.ours:.4g} s",
         f"{one.step.low:.4g} s to {one.step.high:.4g} s", f"{one.step.error * 100:+.0f} %")
        for one in sorted(scores, key=lambda score: -score.step.far)[:WORST]
    ]  # fmt: skip
    return table(("row", "devices", "published", "ours", "range", "error"), rows)
