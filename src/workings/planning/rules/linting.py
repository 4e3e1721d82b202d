"""Every rule asked of a job."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.formula import DoesNotEvaluateError
from workings.planning.job import Job, JobError
from workings.planning.letters import LETTERS
from workings.planning.lighter import Change, changes
from workings.planning.rules.catalogue import RULES
from workings.planning.rules.condition import letters_of
from workings.planning.rules.evaluating import Numbers, applies, follows_from_plan, kept
from workings.planning.rules.finding import Finding, Outcome, Remedy
from workings.planning.rules.remedies import remedies
from workings.planning.rules.rule import GO, GO_IF, Rule
from workings.planning.rules.wording import sentence
from workings.planning.rules.world import FOUNDATIONS

OF_EXPERTS = ("V_x", "W_x")  # letters that say something only where there are experts
UNEVEN = "replicas or micro-batches are no whole numbers"


def lint(job: Job) -> tuple[Finding, ...]:
    """What every rule says of a job, in the order of the rules; also those that hold.

    Raises JobError where the job lacks a letter.
    """
    missing = [letter for letter in LETTERS if letter not in job.figures]
    if missing:
        concept = LETTERS[missing[0]]
        raise JobError(f"{job.name}: {concept.name}: found nothing, expected {concept.meaning}")
    numbers = Numbers({**job.values(), GO: job.limit, GO_IF: job.limit_if})
    whole = True
    judged: dict[str, tuple[Outcome, str]] = {}
    for rule in RULES:
        judged[rule.id] = outcome, _ = _judged(rule, numbers, whole=whole)
        whole = whole and not (rule in FOUNDATIONS and outcome == "broken")
    fine = ("holds", "not applicable")
    refusing = [rule for rule in RULES if rule.severity == "error" and judged[rule.id][0] in fine]
    warning = [rule for rule in RULES if rule.severity == "warning" and judged[rule.id][0] in fine]
    broken = any(rule.lighter and judged[rule.id][0] == "broken" for rule in RULES)
    lighter = changes(job) if broken else ()
    return tuple(_finding(rule, *judged[rule.id], numbers, refusing, warning, lighter) for rule in RULES)


def _judged(rule: Rule, numbers: Numbers, *, whole: bool) -> tuple[Outcome, str]:
    """The outcome, and why where it is `not judged`; `whole` says that the foundations hold."""
    if not whole and rule not in FOUNDATIONS and _rests_on_plan(rule):
        return "not judged", UNEVEN
    try:
        return _outcome(rule, numbers), ""
    except DoesNotEvaluateError as error:
        return "not judged", str(error)


def _outcome(rule: Rule, numbers: Numbers) -> Outcome:
    """Raises DoesNotEvaluateError."""
    if not applies(rule, numbers):
        return "not applicable"
    there = numbers.changed(rule.at) if rule.at else numbers
    if rule.at and not all(kept(other, there) for other in FOUNDATIONS):
        return "holds"  # the layout it is compared with cannot be run at all
    return "holds" if there.true(rule.condition) else "broken"


def _rests_on_plan(rule: Rule) -> bool:
    texts = (rule.condition, *rule.when)
    return bool(rule.at) or any(follows_from_plan(letters_of(text)) for text in texts)


def _finding(
    rule: Rule,
    outcome: Outcome,
    why: str,
    numbers: Numbers,
    refusing: list[Rule],
    warning: list[Rule],
    lighter: tuple[Change, ...],
) -> Finding:
    deciding = {} if outcome == "not judged" else _deciding(rule, outcome, numbers)
    mended: tuple[Remedy, ...] = ()
    if outcome == "broken" and rule.lighter:
        # What is left of the memory is told with every remedy, so none breaks the other rule on it.
        mended = remedies(rule, numbers, refusing, [r for r in warning if not r.lighter], lighter)
    elif outcome == "broken":
        mended = remedies(rule, numbers, refusing, warning)
    return Finding(rule, outcome, sentence(rule, outcome, deciding, mended, why), deciding, mended)


def _deciding(rule: Rule, outcome: Outcome, numbers: Numbers) -> Mapping[str, Fraction]:
    """The values that decided, of the changed layout where the rule asks of one."""
    if outcome == "not applicable":
        return numbers.of(dict.fromkeys(letter for text in rule.when for letter in letters_of(text)))
    there = numbers.changed(rule.at) if rule.at else numbers
    decided = there.of(letters_of(rule.condition))
    try:
        beside = numbers.of(n for n in rule.beside if n not in OF_EXPERTS or numbers.given["E"])
    except DoesNotEvaluateError:
        beside = {}
    return {**decided, **{n: v for n, v in beside.items() if n not in decided}}
