"""The tree answers its questions with numbers that count out, and is held against other layouts."""

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b

from workings.planning.cost import plan
from workings.planning.decision import BANDS, Decision, band_for, beside_best, claimed, decide, told
from workings.planning.exact import exactly
from workings.planning.job import Job

DECIDED = [gpt3_175b, llama3_405b, llama3_8b, experts_64]


def state_of_llama_8b(ranks: int) -> int:
    """Bytes that weights, gradients and moments of 8B take on one of these ranks, tensor by tensor."""
    width, inner, keys = 4096, 14336, 8 * 128
    block = 2 * width * width + 2 * width * keys + 3 * width * inner
    split, whole = 32 * block + 2 * 128256 * width, 32 * 2 * width + width
    return (split // ranks + whole) * (4 + 4 + 4 + 4 + 2)


def layout(decision: Decision) -> tuple[int, ...]:
    values = decision.values
    return tuple(int(values[letter]) for letter in ("t", "p", "d"))


def test_the_first_question_is_answered_by_the_bytes_of_the_model() -> None:
    step = decide(llama3_8b()).steps[0]
    beside, group = 600_000_000 + 100_000_000, 1_000_000_000
    assert step.value == state_of_llama_8b(1) + beside  # one device sends to none
    assert [t.choice for t in step.tried] == [2]
    # A rank holds half of every matrix; Megatron gives each of them every norm as a whole.
    assert step.tried[0].value == state_of_llama_8b(2) + beside + group


@pytest.mark.parametrize(("job", "expected"), [(llama3_8b(), (2, 1, 4)), (gpt3_175b(), (8, 8, 8))])
def test_the_tree_ends_at_the_layouts_of_its_own_table(job: Job, expected: tuple[int, ...]) -> None:
    decision = decide(job)
    assert layout(decision) == expected
    assert decision.band is not None
    assert decision.band.layout == expected


def test_a_model_that_fits_on_a_device_gets_data_parallelism_alone() -> None:
    assert layout(decide(llama3_8b(M_dev=10**12))) == (1, 1, 8)


def test_the_jobs_own_layout_plays_no_part() -> None:
    assert decide(llama3_8b(t=8, t_e=8, b_m=2)).layout == decide(llama3_8b()).layout


@pytest.mark.parametrize("make", DECIDED)
def test_every_devices_and_sequence_has_its_place(make: Callable[..., Job]) -> None:
    values = decide(make()).values
    mesh = values["t"] * values["c"] * values["p"] * values["d"]
    assert mesh == values["n"]
    assert values["m"] * values["b_m"] * values["d"] == values["b"]


@pytest.mark.parametrize("make", DECIDED)
def test_of_what_was_tried_only_the_last_may_fit(make: Callable[..., Job]) -> None:
    for step in decide(make()).steps[:6]:
        assert not any(tried.enough for tried in step.tried[:-1])
        choices = [tried.choice for tried in step.tried]
        assert choices == sorted(choices)


def test_long_sequences_are_shared_until_they_fit() -> None:
    step = decide(llama3_405b(s=131072, b=128)).steps[5]
    assert step.answer == "yes"
    assert step.chosen["c"] == step.tried[-1].choice
    assert step.tried[-1].enough


def test_one_answer_chooses_one_kind_of_parallelism() -> None:
    steps = decide(llama3_405b(s=131072, b=128)).steps
    assert [set(step.chosen) for step in steps[4:6]] == [{"z_s"}, {"c"}]
    assert steps[4].answer == "yes"
    assert steps[4].chosen["z_s"] == 1
    alone = decide(llama3_8b(M_dev=10**12)).steps[4]
    assert alone.answer == "no"
    assert alone.chosen["z_s"] == 0


def test_a_sequence_that_sequence_parallelism_makes_fit_is_not_long() -> None:
    job = llama3_8b(s=14336, b=64, n=16)
    layout = decide(job).values
    assert layout["z_s"] == 1
    without = exactly(plan(), {**decide(job).given, "z_s": Fraction(0)}, ["M"])["M"]
    limit = job.limit * layout["M_dev"]
    assert layout["M"] <= limit < without
    assert decide(job).steps[5].answer == "no"


def test_experts_take_the_largest_degree_that_divides_both() -> None:
    decision = decide(experts_64())
    replicas = int(decision.values["d"] * decision.values["c"])
    common = [x for x in range(1, 65) if 64 % x == 0 and replicas % x == 0]
    assert decision.layout["e"] == max(common)


def test_more_replicas_than_sequences_are_pointed_out() -> None:
    decision = decide(llama3_8b(b=2))
    assert not decision.fits
    assert "the tree has no answer" in decision.steps[2].outcome


def test_a_model_too_large_for_the_cluster_ends_without_a_layout() -> None:
    decision = decide(gpt3_175b(n=8, b=64))
    assert not decision.fits
    assert "still does not fit" in decision.steps[5].outcome


def test_micro_batches_are_brought_into_the_range_where_the_batch_allows() -> None:
    decision = decide(gpt3_175b())
    assert 4 * 8 <= decision.values["m"] <= 8 * 8
    assert "the batch has no more" in decide(gpt3_175b(b=64)).steps[7].outcome


def test_a_claim_belongs_to_the_last_row_not_beyond_the_devices() -> None:
    assert band_for(Fraction(7)) is None
    assert [band.devices for band in BANDS if band_for(Fraction(band.devices)) == band] == [
        8,
        64,
        512,
        2048,
    ]
    row = band_for(Fraction(2047))
    assert row is not None
    assert row.devices == 512


def test_absurd_sizes_end_too() -> None:
    assert not decide(gpt3_175b(n=10**20)).fits
    assert decide(gpt3_175b(n=10**20, b=10**20)).fits


def test_the_claim_is_said_to_be_one() -> None:
    said = claimed(decide(gpt3_175b()))
    assert (
        "an MFU of 50–58 % (claimed by unsigned notes (text 001 of reports/seeds), without a source)"
        in said
    )
    assert "the model gives" in said
    assert "claim nothing" in claimed(decide(llama3_8b(n=4)))


def test_each_step_is_told_in_words_with_its_number_and_limit() -> None:
    rows = told(decide(llama3_8b()))
    question, number, answer, outcome = rows[0]
    assert question == "Does the model fit on a single device?"
    assert number == "state of the fullest rank: 145.2 GB; limit 76.97 GB"
    assert answer == "no"
    assert re.fullmatch(r"tensor parallelism of 2, the first that fits \(at 2: 7\d\.\d\d GB\)", outcome)
    assert [row.answer for row in rows[3:6]] == ["no", "yes", "no"]
    assert len(rows) == 8


@pytest.mark.parametrize("make", DECIDED)
def test_what_is_told_needs_no_letters(make: Callable[..., Job]) -> None:
    for row in told(decide(make())):
        assert "_" not in "".join(row)
        assert "max(" not in row.number


def test_the_same_layout_is_no_disagreement() -> None:
    decision = decide(llama3_8b())
    compared = beside_best(decision, decision.layout)
    assert compared.ratio == 1
    assert not compared.differences
    assert compared.text == "The search ends at the layout of the tree."


def test_a_disagreement_is_told_with_the_ratio_of_the_steps() -> None:
    job = experts_64()
    decision = decide(job)
    compared = beside_best(decision, job.values())
    ours = exactly(plan(), job.values(), ["T_step"])["T_step"]
    assert compared.ratio == decision.values["T_step"] / ours
    assert list(compared.differences["t"]) == [8, 4]
    assert compared.search["T_step"] == ours
    assert "the tree's step is 1.419 times as long" in compared.text
