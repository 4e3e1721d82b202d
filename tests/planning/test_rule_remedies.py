"""What is said to mend a rule mends it, and breaks nothing that refuses a layout."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_405b
from linted import lint
from looping import each
from rule_cases import BREAKING, breaking

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.rules import Finding, Remedy
from workings.planning.rules.finding import AS_FAST
from workings.planning.rules.wording import effect, in_words, pace

Findings = Sequence[Finding]


def mended_by(job: Job, rule: str) -> tuple[Remedy, ...]:
    return mended(lint(job), rule)


def mended(findings: Findings, rule: str) -> tuple[Remedy, ...]:
    return next(finding.remedies for finding in findings if finding.rule.id == rule)


def errors(findings: Findings) -> set[str]:
    return {f.rule.id for f in findings if f.broken and f.rule.severity == "error"}


def broken(rule: str) -> Findings:
    """What is found of the job that breaks a rule."""
    return lint(breaking(rule))


@pytest.mark.slow
@each("rule", BREAKING)
def test_a_change_that_is_proposed_mends_the_rule_and_no_new_error_comes(rule: str) -> None:
    before = errors(broken(rule))
    for remedy in mended(broken(rule), rule):
        changed = lint(breaking(rule).with_values(remedy.changed))
        after = {f.rule.id: f.outcome for f in changed}
        assert after[rule] in ("holds", "not applicable")
        assert errors(changed) <= before


def test_the_nearest_degrees_are_proposed() -> None:
    degrees = {r.value for r in mended_by(gpt3_175b(t=7, t_e=7), "heads-divide") if r.letter == "t"}
    assert degrees == {4, 8}  # 5 and 6 divide 512 devices no better than 7 does


def test_a_degree_that_leaves_the_node_does_not_mend_one_that_fills_it_unevenly() -> None:
    job = gpt3_175b(n=384, t=6, t_e=6, H=108, K=108, b=768, V=51264)
    proposed = mended_by(job, "tensor-fills-node")
    assert {r.value for r in proposed if r.letter == "t"} <= {1, 2, 4, 8}
    assert proposed


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


@each("rule", BREAKING)
def test_what_makes_a_step_slower_is_proposed_last(rule: str) -> None:
    slower = [remedy.time > AS_FAST for remedy in mended(broken(rule), rule)]
    assert slower == sorted(slower)


def test_a_change_that_breaks_a_warning_says_so_and_comes_after_one_that_does_not() -> None:
    job = gpt3_175b(b_m=8)
    breaks = [r.breaks for r in mended_by(job, "fits") if r.time > AS_FAST]
    assert breaks == [(), ("Tensor-parallel groups stay inside a node",)]
    message = next(f.message for f in lint(job) if f.rule.id == "fits")
    assert "% of the device's memory; breaks “Tensor-parallel groups stay inside a node”)" in message


def test_where_little_is_missing_a_part_of_a_block_is_computed_again_and_not_all_of_it() -> None:
    first, *others = mended_by(llama3_405b(), "fits")
    assert first.said == 'recompute = "mlp_act"'
    assert first.time < Fraction(1005, 1000) < min(other.time for other in others)
    message = next(f.message for f in lint(llama3_405b()) if f.rule.id == "fits")
    assert f'it would hold with recompute = "mlp_act" ({pace(first.time)} and ' in message
    found = next(f for f in lint(llama3_405b()) if f.rule.id == "fits")
    assert "would hold with the feed-forward's activation computed again (takes " in in_words(found)


def test_of_what_memory_a_share_is_and_whose_is_said() -> None:
    found = next(f for f in lint(llama3_405b()) if f.rule.id == "fits")
    again = replace(found.remedies[0], time=Fraction(5, 4), memory=Fraction(16, 100))
    assert effect(again) == (
        "takes 25 % more time a token and brings the fullest rank to 16 % of the device's memory"
    )


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (Fraction(1, 2), "takes 50 % less time a token"),
        (Fraction(10004, 10000), "is as fast"),
        (Fraction(107, 100), "takes 7 % more time a token"),
        (Fraction(2), "takes 2 times as long"),
        (Fraction(21, 10), "takes 2.1 times as long"),
    ],
)
def test_a_pace_is_said_in_words(time: Fraction, said: str) -> None:
    assert pace(time) == said


def test_a_broken_rule_can_be_said_without_letters() -> None:
    found = next(f for f in lint(gpt3_175b(b_m=8)) if f.rule.id == "fits")
    said = in_words(found)
    assert said.startswith("the rule “The fullest rank fits” is broken (see Rules); it would hold with ")
    smaller, again, *_ = found.remedies
    assert dict(smaller.changed) == {"b_m": Fraction(2)}
    assert again.said == 'recompute = "full"'
    assert f"with sequences in a micro-batch of one replica 2 ({pace(smaller.time)} and " in said
    assert f" or blocks computed again ({pace(again.time)} and " in said
    assert "b_m" not in said
    other = next(f for f in lint(gpt3_175b(t=7, t_e=7)) if f.rule.id == "heads-divide")
    assert " or tensor-parallel degree 8 (takes " in in_words(other)
    assert "t = " not in in_words(other)
