"""Every rule is broken by a job that should break it, and kept by another."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from effort import at_most
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from linted import lint
from rule_cases import BREAKING, breaking

from workings.planning.job import Job, JobError
from workings.planning.rules import RULES, Finding, tally
from workings.planning.rules.world import FOUNDATIONS


def found(job: Job) -> dict[str, Finding]:
    return {finding.rule.id: finding for finding in lint(job)}


def test_there_is_a_breaking_job_for_every_rule() -> None:
    assert set(BREAKING) == {rule.id for rule in RULES}


@pytest.mark.parametrize("rule", BREAKING)
def test_a_job_that_breaks_a_rule_is_told(rule: str) -> None:
    finding = found(breaking(rule))[rule]
    assert finding.outcome == "broken", finding.message
    assert finding.numbers


def test_every_rule_holds_somewhere() -> None:
    jobs = [gpt3_175b(), llama3_405b(c=2), llama3_8b(), experts_64(), experts_64(e=4)]
    jobs += [llama3_8b(z_2=1, z_3=1, n_r=2), llama3_405b(z_f=1), gpt3_175b(z_f=1, z_c=0, z_a=1)]
    held = {f.rule.id for job in jobs for f in lint(job) if f.outcome == "holds"}
    assert held == {rule.id for rule in RULES}


# The last value that keeps a rule, and the first that breaks it.
BOUNDARIES: list[tuple[str, Callable[..., Job], dict[str, int], dict[str, int]]] = [
    ("tensor-inside-node", gpt3_175b, {"n_node": 8}, {"n_node": 7}),
    ("microbatches-fill", gpt3_175b, {"b": 8 * 32}, {"b": 8 * 31}),
    ("microbatches-enough", gpt3_175b, {"b": 8 * 64}, {"b": 8 * 65}),
    ("pipeline-depth", gpt3_175b, {"L": 8, "v": 1}, {"L": 7, "v": 1}),
    ("chunks-have-blocks", gpt3_175b, {"L": 14}, {"L": 13}),
    ("ends-take-the-rest", gpt3_175b, {"L": 12, "v": 1}, {"L": 11, "v": 1}),
    ("positions", gpt3_175b, {"n_pos": 2048}, {"n_pos": 2047}),
    ("kv-heads-own", gpt3_175b, {"K": 8}, {"K": 4}),
    ("pipeline-across-nodes", gpt3_175b, {"n_node": 256}, {"n_node": 512}),
    ("batch-feeds-replicas", gpt3_175b, {"b": 8}, {"b": 7}),
    ("experts-limit", experts_64, {"e": 64}, {"e": 128}),
]


@pytest.mark.parametrize(("rule", "make", "last", "first"), BOUNDARIES)
def test_rules_turn_at_their_boundary(
    rule: str, make: Callable[..., Job], last: dict[str, int], first: dict[str, int]
) -> None:
    assert found(make(**last))[rule].outcome == "holds"
    assert found(make(**first))[rule].outcome == "broken"


@pytest.mark.parametrize(("stages", "outcome"), [(2, "not applicable"), (4, "broken")])
def test_several_chunks_are_asked_for_from_four_stages_on(stages: int, outcome: str) -> None:
    assert found(gpt3_175b(p=stages, v=1))["virtual-stages"].outcome == outcome


def test_the_layout_of_the_text_is_refused_by_nothing() -> None:
    findings = found(gpt3_175b())
    broken = {id_ for id_, finding in findings.items() if finding.broken}
    assert broken == {"microbatches-enough"}


def test_all_rules_are_answered_in_their_order() -> None:
    assert [finding.rule for finding in lint(llama3_8b())] == list(RULES)


@pytest.mark.parametrize("sequences", [1024, 1023, 800, 8, 7])
def test_sequences_left_over_are_what_the_batch_rule_says(sequences: int) -> None:
    left, replicas = sequences, 8
    while left >= replicas:  # a micro-batch of one sequence to each replica, again and again
        left -= replicas
    held = found(gpt3_175b(b=sequences))["batch-divides"].outcome == "holds"
    assert held == (left == 0)


def test_the_bubble_beside_the_micro_batches_is_that_of_the_schedule() -> None:
    numbers = found(gpt3_175b(b=128))["microbatches-fill"].numbers
    assert numbers["m"] == 16
    assert Fraction(1, 10) < numbers["x_idle"] < Fraction(1, 4)  # (p - 1)/v = 3.5 beside 16


def test_what_rests_on_a_broken_foundation_is_not_judged() -> None:
    findings = found(gpt3_175b(t=7, t_e=7))
    assert findings["fits"].outcome == "not judged"
    assert "no whole numbers" in findings["fits"].message
    assert findings["tensor-inside-node"].outcome == "holds"


def test_a_comparison_with_a_layout_that_cannot_run_counts_as_kept() -> None:
    few = llama3_8b(b=4, M_dev=200_000_000_000)  # 8 replicas of one device would lack sequences
    assert found(few)["tensor-needed"].outcome == "holds"


def test_the_experts_traffic_stands_beside_the_dense_part_where_there_are_experts() -> None:
    jobs = (make(alpha_1=0, alpha_2=0) for make in (experts_64, gpt3_175b))
    found = {job.name: next(f for f in lint(job) if f.rule.id == "gradients-hide").numbers
             for job in jobs}  # fmt: skip
    of_experts, dense = found.values()
    assert of_experts["T_d"] == sum(of_experts[f"V_{x}"] / of_experts[f"W_{x}"] for x in "dx")
    assert not {"V_x", "W_x"} & dense.keys()


def test_numbers_of_the_layout_compared_with_are_told() -> None:
    finding = found(llama3_8b(M_dev=200_000_000_000))["tensor-needed"]
    assert "with t = 1, t_e = 1, z_s = 0" in finding.message
    assert finding.numbers["M"] < finding.numbers["x_go"] * finding.numbers["M_dev"]


def test_the_count_adds_up() -> None:
    for job in (gpt3_175b(), experts_64(z_s=0), gpt3_175b(t=7, t_e=7)):
        findings = lint(job)
        counted = tally(findings)
        silent = sum(f.outcome == "not applicable" for f in findings)
        assert counted.applies == len(RULES) - silent
        broken = counted.errors + counted.warnings + counted.notes
        assert counted.holds + broken + counted.unjudged == counted.applies


def test_the_count_is_said_in_words() -> None:
    job = gpt3_175b(b=128, z_a=1, V=50257)  # 16 micro-batches, scores twice, and columns left over
    assert str(tally(lint(job))).endswith("rules hold: 1 warning, 2 notes")
    assert str(tally(lint(llama3_8b()))).endswith("rules hold")


def test_a_job_that_lacks_a_letter_is_refused() -> None:
    job = gpt3_175b()
    figures = {letter: figure for letter, figure in job.figures.items() if letter != "t"}
    with pytest.raises(JobError, match="found nothing, expected tensor-parallel degree"):
        lint(Job("short", figures))


@pytest.mark.parametrize("devices", [1, 10**20, 7 * 10**15 + 1])
def test_absurd_sizes_are_little_work(devices: int) -> None:
    job = gpt3_175b(n=devices)
    with at_most(3_000_000):
        assert lint(job)


def test_foundations_come_first() -> None:
    assert RULES[: len(FOUNDATIONS)] == FOUNDATIONS
