"""For a terminal: the rules that are broken, worst first, then one line with the count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from workings.planning.rules.finding import Finding, tally
from workings.planning.rules.output.harmless import harmless
from workings.planning.rules.output.places import NOWHERE
from workings.planning.rules.rule import Rule

WIDTH = 100
INDENT = " " * 9
_FIXED = "\N{NO-BREAK SPACE}"
ORDER = ("error", "warning", "note")


def text(
    findings: Sequence[Finding],
    file: str,
    lines: Mapping[str, int] = NOWHERE,
    *,
    verbose: bool = False,
) -> str:
    """Findings as text; with `verbose` also the rules that hold or do not apply."""
    broken = sorted((f for f in findings if f.broken), key=lambda f: ORDER.index(f.rule.severity))
    said = [line for finding in broken for line in _broken(finding, lines.get(finding.rule.id))]
    if verbose:
        said += [line for finding in findings if not finding.broken for line in _other(finding)]
    else:
        said += _unjudged(findings)
    return "\n".join([*said, f"{harmless(file)}: {tally(findings)}"]) + "\n"


def because(rule: Rule) -> str:
    """The reason, and what it rests on."""
    derivation = f" (derivation {rule.entry})" if rule.entry else ""
    return f"because {rule.reason}{derivation}; {rule.source}"


def _broken(finding: Finding, line: int | None) -> Iterator[str]:
    rule = finding.rule
    place = f" (line {line})" if line else ""
    yield f"{rule.severity:7}  {rule.id}: {rule.title}{place}"
    yield from _indented(finding.message)
    yield from _indented(because(rule))


def _other(finding: Finding) -> Iterator[str]:
    yield f"{finding.outcome:14}  {finding.rule.id}: {finding.rule.title}"
    yield from _indented(finding.message)


def _unjudged(findings: Sequence[Finding]) -> list[str]:
    """The rules that could not be judged, by what stood in the way."""
    reasons: dict[str, list[str]] = {}
    for finding in findings:
        if finding.outcome == "not judged":
            why = finding.message.rpartition("not judged, ")[2]
            reasons.setdefault(why, []).append(finding.rule.id)
    return [
        line
        for why, ids in reasons.items()
        for line in (f"not judged: {why}", *_indented(", ".join(ids)))
    ]


def _indented(words: str) -> list[str]:
    """Lines of a terminal's width; a number and its per cent stay on one."""
    lines = wrap(
        words.replace(" %", f"{_FIXED}%"),
        WIDTH,
        initial_indent=INDENT,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_FIXED, " ") for line in lines]
