"""The figures as a file of tables that the report shows, with the reason for each miss beside it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from auditing.records import Record

from measuring.labels import HERE
from measuring.mutating import Fate
from measuring.scoring import Counts, Miss, Score
from workings.render.latex import UnprintableError, escape

REPORT = HERE / "reports" / "check-benchmark"
MEASURED = REPORT / "measured.toml"
REASONS = REPORT / "reasons.toml"
UNSAID = "not explained"
QUOTE = 60
_SUPERSCRIPTS = {c: f"^{i}" for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
KINDS = ("worked out", "copied", "defined again")


def reasons() -> dict[tuple[str, int, str], str]:
    """The reason for each miss, by document, line and what was missed."""
    data = tomllib.loads(REASONS.read_text(encoding="utf-8")) if REASONS.is_file() else {}
    return {(one["document"], one["line"], one["missed"]): one["why"] for one in data.get("miss", [])}


def tables(
    scores: Sequence[Score], practice: Sequence[Score], given: Sequence[Fate], ours: Sequence[Fate]
) -> tuple[Record, ...]:
    """Everything that the report shows: scores, misses, and the fates of broken steps."""
    return (
        training(scores, practice), documents(scores), misses(scores),
        fates("given", "Steps of the labelled documents, broken one at a time", given),
        fates("ours", "Steps of our own reports, broken one at a time", ours),
        unfound([*given, *ours]), unexplained([*given, *ours]),
    )  # fmt: skip


def written(found: Iterable[Record]) -> str:
    """The tables as TOML."""
    lines = ["# Written by `python benchmarks/check.py --write`; a test compares."]
    for table in found:
        lines += ["", f"[{table.name}]", f"caption = {_text(table.caption)}"]
        lines += [
            f"align = {_text(table.align)}",
            f"head = [{', '.join(map(_text, table.head))}]",
            "rows = [",
        ]
        lines += [f"    [{', '.join(map(_text, row))}]," for row in table.rows]
        lines.append("]")
    return "\n".join(lines) + "\n"


def write(found: Iterable[Record], path: Path = MEASURED) -> None:
    """Keep the tables."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(written(found), encoding="utf-8")


def label(document: str) -> str:
    """A document's name, short enough for a column: `11 scalingbook`, `xxl-220b 24`."""
    stem = document.removesuffix(".md").removeprefix("reports/")
    return " ".join(stem.replace("/", "_").split("_")[:2])


def training(derivations: Sequence[Score], practice: Sequence[Score]) -> Record:
    """How much is found, and how many accusations are right, by default and with `--preview`."""
    public = [s for s in practice if s.document.startswith("p")]
    groups = (
        ("derivations, public", derivations), ("practice, public", public),
        ("practice, written for it", [s for s in practice if s not in public]),
    )  # fmt: skip
    head = ("documents", "number", "checked", "wrong steps", "found", "found, %", "accusations", "right",
            "right, %")  # fmt: skip
    rows = [row for name, some in groups if some for row in _training_rows(name, some)]
    caption = "Training scores, by default and with --preview"
    return Record("training", caption, "lrlrrrrrr", head, tuple(rows))


def _training_rows(name: str, scores: Sequence[Score]) -> Iterator[tuple[str, ...]]:
    c = sum((s.counts for s in scores), Counts())
    for how, found, flags, earned in (
        ("by default", c.default_found, c.default_flags, c.default_earned),
        ("--preview", c.found, c.flags, c.earned),
    ):
        yield (
            name, str(len(scores)), how, str(c.wrong), str(found), share(found, c.wrong),
            str(flags), str(earned), share(earned, flags),
        )  # fmt: skip


def documents(scores: Sequence[Score]) -> Record:
    """A row a document, and the total by character and by line."""
    head = ("document", "steps", "wrong", "found", "right", "accused", "flags", "outside",
            "precise, %", "covered, %")  # fmt: skip
    rows = [_row(label(s.document), s.counts) for s in scores]
    rows.append(_row("together", sum((s.counts for s in scores), Counts())))
    rows.append(_row("together, compared by line", sum((s.by_line for s in scores), Counts())))
    return Record(
        "documents", "Labelled steps and what the checker says of them", "lrrrrrrrrr", head, tuple(rows)
    )


def _row(name: str, counts: Counts) -> tuple[str, ...]:
    whole = (
        counts.steps,
        counts.wrong,
        counts.found,
        counts.right,
        counts.alarmed,
        counts.flags,
        counts.outside,
    )
    shares = (share(counts.earned, counts.flags), share(counts.covered, counts.steps))
    return (name, *map(str, whole), *shares)


def share(part: int, whole: int) -> str:
    """A share in per cent, rounded down so that 100.0 is all; a dash of nothing."""
    return f"{1000 * part // whole / 10:.1f}" if whole else "-"


def misses(scores: Sequence[Score]) -> Record:
    """Each wrong step not found, right one accused and labelled one not read, with the reason."""
    known = reasons()
    rows = [
        (label(miss.document), str(miss.line), miss.kind, short(miss.quote), _why(known, miss))
        for s in scores for miss in s.misses
    ]  # fmt: skip
    head = ("document", "line", "missed", "step", "why")
    return Record(
        "misses", "What the checker misses in the labelled documents", "wrwkw", head, tuple(rows)
    )


def _why(known: dict[tuple[str, int, str], str], miss: Miss) -> str:
    return known.get((miss.document, miss.line, miss.kind), UNSAID)


def fates(name: str, caption: str, found: Sequence[Fate]) -> Record:
    """A row a mistake: how many steps were broken by it, and of how many it was found and named."""
    head = ("mistake", "made", "broken", "found", "found, %", "explained", "explained, %")
    rows = []
    for kind in KINDS:
        of_kind = [f for f in found if f.kind == kind]
        for mistake in sorted({f.broken.edit.mistake for f in of_kind}):
            rows.append(
                _fate_row(mistake, kind, [f for f in of_kind if f.broken.edit.mistake == mistake])
            )
        if of_kind:
            rows.append(_fate_row("all", kind, of_kind))
    rows.append(_fate_row("all", "worked out or copied", [f for f in found if f.kind in KINDS[:2]]))
    return Record(name, caption, "llrrrrr", head, tuple(rows))


def _fate_row(mistake: str, kind: str, some: Sequence[Fate]) -> tuple[str, ...]:
    found, named = sum(f.found for f in some), sum(f.explained for f in some)
    return (
        mistake,
        kind,
        str(len(some)),
        str(found),
        share(found, len(some)),
        str(named),
        share(named, len(some)),
    )


def unfound(fates_: Sequence[Fate]) -> Record:
    """Each break that no flag stands on, with what is said of the step and the reason."""
    known = reasons()
    rows = [
        (label(f.broken.document), str(f.broken.line), f.broken.edit.mistake, f.kind, excerpt(f),
         ", ".join(f.verdicts) or "no statement",
         known.get((f.broken.document, f.broken.line, f.broken.edit.mistake), UNSAID))
        for f in fates_ if not f.found
    ]  # fmt: skip
    head = ("document", "line", "mistake", "made", "as broken", "verdicts", "why")
    return Record("unfound", "Broken steps that are not found", "wrwwkww", head, tuple(rows))


def unexplained(fates_: Sequence[Fate]) -> Record:
    """How often a mistake is found but given other names, and which."""
    named: dict[tuple[str, str], list[str]] = {}
    for f in fates_:
        if f.found and not f.explained:
            named.setdefault((f.broken.edit.mistake, f.kind), []).append(
                f.named[0] if f.named else "nothing"
            )
    rows = []
    for (mistake, kind), names in sorted(named.items()):
        counted = sorted(set(names), key=lambda n: (-names.count(n), n))
        rows.append(
            (mistake, kind, str(len(names)), ", ".join(f"{n} ({names.count(n)})" for n in counted))
        )
    head = ("mistake", "made", "times", "named first instead")
    return Record("unexplained", "Mistakes that are found but not named", "llrw", head, tuple(rows))


def excerpt(fate: Fate) -> str:
    """The broken step around the edit."""
    broken = fate.broken
    after = broken.quote[: broken.edit.start - broken.start] + broken.edit.text
    text = after + broken.quote[broken.edit.end - broken.start :]
    middle = len(after)
    start = max(0, min(middle - QUOTE // 2, len(text) - QUOTE))
    return short(text[start:])


def short(text: str) -> str:
    """At most 60 characters of a text, on one line; what pdflatex has no glyph for gives way to …."""
    plain = "".join(_SUPERSCRIPTS.get(c, c) for c in text)
    line = " ".join("".join(c if _printable(c) else "…" for c in plain).split())
    line = re.sub("…+", "…", line)
    return line if len(line) <= QUOTE else line[: QUOTE - 1] + "…"


def _printable(character: str) -> bool:
    try:
        escape(character)
    except UnprintableError:
        return character.isspace()
    return True


def _text(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)
