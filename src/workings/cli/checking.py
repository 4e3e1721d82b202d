"""`check`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from workings.cli.check_options import Asked, check_options
from workings.cli.inputs import documents, task, with_bar
from workings.cli.options import plainly, scenario_at
from workings.cli.printing import refuse_to_write, show

if TYPE_CHECKING:
    from workings.check.results import Results
    from workings.check.rules import AnyRule
    from workings.check.running import Task
    from workings.check.verdicts import Verdict


@click.command()
@check_options
@plainly
def check(**options: Any) -> None:
    """Check derivations: FILES (.md, .tex, .ipynb), folders of them, or - for standard input.

    Accuses by rules that are right often enough (see --explain), and where a comment names an entry of
    the catalogue; the rest is held back for --preview. Exit code 0: nothing wrong; 1: something wrong; 2:
    something could not be checked. With --claims FILES are claims that another reader extracted from a
    page (docs/claims-file.md). With --key hand-ins are graded, as `workings grade` does.
    """
    asked = Asked(**options)
    if asked.letters:
        _list_letters(str(asked.at))
    elif asked.explain is not None:
        click.echo(_listed() if asked.explain == "list" else _explained(_rule(asked.explain)))
    elif asked.key is not None:
        from workings.cli.grade import suggest  # noqa: PLC0415

        tasks = [_task(asked, file) for file in documents(asked.files, handed_in=True)]
        sys.exit(suggest(asked.key, tasks, asked.format, asked.output, jobs=asked.jobs))
    else:
        sys.exit(_check(asked))


def _check(asked: Asked) -> int:
    """Check the files; the exit code. Raises UserError."""
    from workings.check.audience import for_student  # noqa: PLC0415
    from workings.check.preview import with_note_on_held  # noqa: PLC0415
    from workings.check.report import View, report  # noqa: PLC0415
    from workings.check.running import check_all, gathered  # noqa: PLC0415

    for name in (*asked.select, *asked.ignore):
        _rule(name, claims=asked.claims, pages=not asked.claims)
    view = View(_verdicts(asked), asked.verbose)
    scenario_at(asked.at, {})  # a scenario that cannot be read is said once, not for every file
    files = _claims_files(asked) if asked.claims else documents(asked.files)
    refuse_to_write((asked.output, asked.write_baseline), files)
    tasks = [replace(_task(asked, file), select=asked.select, ignore=asked.ignore, claims=asked.claims)
             for file in files]  # fmt: skip
    results = gathered(with_bar(check_all(tasks, asked.jobs), len(tasks)))
    results = with_note_on_held(_accepting(results, asked.baseline, asked.write_baseline))
    if asked.reader == "student":
        results = replace(results, checked=tuple(map(for_student, results.checked)))
    show(report(results, view), asked.format, asked.output)
    return results.exit_code


def _claims_files(asked: Asked) -> list[str]:
    """The files of claims, each once. Raises UsageError where one is a document."""
    from workings.reading.endings import DOCUMENTS, HANDED_IN  # noqa: PLC0415

    for file in asked.files:
        if file.lower().endswith((*DOCUMENTS, *HANDED_IN)):
            expected = "expected claims files in JSON; a document is named in these, or checked alone"
            raise click.UsageError(f"--claims: found the document {file}, {expected}")
    return list(dict.fromkeys(asked.files))


def _rule(name: str, *, claims: bool = True, pages: bool = True) -> AnyRule:
    """The rule of this id, for claims files or for pages. Raises UsageError."""
    from workings.check.rules import rules_of_claims, rules_of_pages  # noqa: PLC0415

    known = (rules_of_pages() if pages else {}) | (rules_of_claims() if claims else {})
    if name not in known:
        raise click.UsageError(f"found no rule {name!r}, expected one of {', '.join(known)}")
    return known[name]


def _listed() -> str:
    """Every rule in a line: its id, `preview` if it does not accuse by default, and what it says."""
    from workings.check.rules import every_rule  # noqa: PLC0415

    rules = every_rule()
    widest = max(map(len, rules))
    return "\n".join(
        f"{id_.ljust(widest)}  {'preview' if rule.preview else 'default'}  {rule.says}"
        for id_, rule in rules.items()
    )


def _explained(rule: AnyRule) -> str:
    """What a rule says, whether it accuses by default, and short pages that it is right about."""
    when = "It accuses with --preview or --select only." if rule.preview else "It accuses by default."
    parts = [f"{rule.id}: {rule.says} {when}"]
    for words, pages in (("Accused", rule.bad), ("Not accused", rule.good)):
        apart = "\n\n" if any("\n" in page.strip() for page in pages) else "\n"
        parts.append(f"{words}:\n" + apart.join(indent(page.strip(), "  ") for page in pages))
    return "\n\n".join(parts)


def _list_letters(at: str) -> None:
    """The letters of a scenario with their values, a line each."""
    from workings.check.scenario_letters import listed_at  # noqa: PLC0415

    for line in listed_at(at):
        click.echo(line)


def _verdicts(asked: Asked) -> tuple[Verdict, ...]:
    """The verdicts of --only; `not-understood` will do for `not understood`."""
    from workings.check.verdicts import VERDICTS  # noqa: PLC0415

    wanted = [name.strip().replace("-", " ") for name in asked.only]
    for name in wanted:
        if name not in VERDICTS:
            raise click.UsageError(f"--only {name}: expected one of {', '.join(VERDICTS)}")
    return tuple(verdict for verdict in VERDICTS if verdict in wanted)


def _task(asked: Asked, file: str) -> Task:
    """What is to be done with a file."""
    one = task(file, asked.stdin_name, asked.stdin_kind)
    return replace(one, at=asked.at, strict=asked.strict, preview=asked.preview)


def _accepting(results: Results, baseline: Path | None, written: Path | None) -> Results:
    """The results without the errors of a baseline, written first where that is asked."""
    if baseline is None and written is None:
        return results
    from workings.check import baseline as file  # noqa: PLC0415

    accepted = file.read(baseline) if baseline else None
    if written and not results.failures:
        found = file.errors_in(results, written)
        if accepted is not None and baseline == written:
            found += file.elsewhere(accepted, results, written)
        file.write(written, found)
        return file.without_accepted(results, found, written)
    if baseline is None or accepted is None:
        return results
    return file.without_accepted(results, accepted, baseline)
