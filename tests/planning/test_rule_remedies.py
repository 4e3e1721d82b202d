"""What is said to mend a rule mends it, and breaks nothing that refuses a layout."""

import pytest
from jobs import gpt3_175b, llama3_405b
from rule_cases import BREAKING, breaking

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.rules import Remedy, lint


def mended_by(job: Job, rule: str) -> tuple[Remedy, ...]:
    return next(finding.remedies for finding in lint(job) if finding.rule.id == rule)


def errors(job: Job) -> set[str]:
    return {f.rule.id for f in lint(job) if f.broken and f.rule.severity == "error"}


@pytest.mark.parametrize("rule", BREAKING)
def test_a_change_that_is_proposed_mends_the_rule_and_no_new_error_comes(rule: str) -> None:
    job = breaking(rule)
    before = errors(job)
    for remedy in mended_by(job, rule):
        changed = job.with_values(remedy.changed)
        after = {f.rule.id: f.outcome for f in lint(changed)}
        assert after[rule] in ("holds", "not applicable")
        assert errors(changed) <= before


def test_the_nearest_degrees_are_proposed() -> None:
    degrees = {r.value for r in mended_by(gpt3_175b(t=7, t_e=7), "heads-divide") if r.letter == "t"}
    assert degrees == {4, 8}  # 5 and 6 divide 512 devices no better than 7 does


def test_experts_keep_the_degree_of_the_rest() -> None:
    for remedy in mended_by(gpt3_175b(t=7, t_e=7), "heads-divide"):
        assert remedy.changed["t_e"] == remedy.changed["t"]


def test_a_vocabulary_is_padded_and_not_cut() -> None:
    (remedy,) = mended_by(gpt3_175b(V=50257), "vocab-divides")
    assert remedy.value == 50264  # 8 · 6,283


def test_time_is_that_of_a_device_and_token() -> None:
    job = gpt3_175b(b=128)
    for remedy in mended_by(job, "microbatches-fill"):
        here, there = job.values(), job.with_values(remedy.changed).values()
        steps = [exactly(plan(), values, ["T_step"])["T_step"] for values in (here, there)]
        tokens = [values["b"] * values["s"] for values in (here, there)]
        assert remedy.time == (steps[1] / tokens[1]) / (steps[0] / tokens[0])


def test_what_takes_more_memory_than_there_is_is_not_proposed() -> None:
    job = llama3_405b()
    share = exactly(plan(), job.values(), ["u_M"])["u_M"]
    for finding in lint(job):
        assert all(remedy.memory <= max(share, job.limit_if) for remedy in finding.remedies)


def test_chunks_go_with_the_pipeline() -> None:
    (remedy, *_) = mended_by(breaking("pipeline-needed"), "pipeline-needed")
    assert remedy.changed == {"p": 1, "v": 1}
