"""Time in a review: what is sent, where the step goes, and what MFU, days and cost are counted by."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import files, review

from workings.planning.cost import plan
from workings.planning.job import Job, Results
from workings.planning.utilization import ALL, HALF
from workings.review.axis import MOST_TICKS, round_axis
from workings.review.desk import Desk
from workings.review.time import time


def page(job: Job) -> str:
    return files(review(job), ("md",))["review.md"]


def rows(text: str, caption: str) -> list[list[str]]:
    """The cells of a table's rows, its head first."""
    lines = text.split(f"** {caption}")[1].split("\n\n")[1].splitlines()
    return [
        [cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines if "---" not in line
    ]


def number(text: str) -> float:
    found = re.match(r"[\d,.]+", text)
    assert found is not None
    return float(found[0].replace(",", ""))


def with_range(job: Job, letter: str, low: Fraction, high: Fraction) -> Job:
    figure = replace(job.figures[letter], low=low, high=high)
    return replace(job, figures={**job.figures, letter: figure})


def test_the_work_of_a_run_is_the_same_at_every_pace_and_goodput() -> None:
    head, *found = rows(page(gpt3_175b()), "Days of the run")
    assert {row[0] for row in found} == {"step at P10", "step at P50", "step at P90", "model"}
    assert head[1:3] == ["step time", "MFU, causal"]
    goodput = [number(text.removeprefix("goodput ")) for text in head[3:]]
    work = [number(row[2]) * kept * number(cell)
            for row in found for kept, cell in zip(goodput, row[3:], strict=True)]  # fmt: skip
    assert max(work) / min(work) == pytest.approx(1, rel=0.01)
    days = [number(row[3]) for row in found if row[0] != "model"]
    assert days == sorted(days)


def test_days_stand_at_the_goodput_and_the_ends_of_its_range() -> None:
    ranged = with_range(llama3_8b(), "gamma", Fraction(97, 100), Fraction(3, 4))
    head, *_ = rows(page(ranged), "Days of the run")
    assert head[3:] == ["goodput 75 %", "goodput 90 %", "goodput 97 %"]
    head, *_ = rows(page(llama3_8b(gamma=Fraction(85, 100))), "Days of the run")
    assert head[3:] == ["goodput 80 %", "goodput 85 %", "goodput 90 %", "goodput 100 %"]


@pytest.mark.parametrize(("counted", "other"), [(ALL, HALF), (HALF, ALL)])
def test_the_mfu_of_the_other_count_of_attention_is_that_of_the_job_counted_so(
    counted: Fraction, other: Fraction
) -> None:
    said = re.search(r"the same step has an MFU of ([\d.]+) %", page(gpt3_175b(kappa_u=counted)))
    assert said is not None
    there = Desk(gpt3_175b(kappa_u=other), plan()).base["u"]
    assert float(said[1]) == pytest.approx(100 * float(there), abs=0.05)


def test_an_mfu_that_counts_what_nothing_computes_is_said_to_pass_100_percent() -> None:
    flash: dict[str, Fraction] = {"z_a": Fraction(1), "kappa": HALF}
    assert "it may pass 100 %" in page(gpt3_175b(kappa_u=ALL, **flash))
    assert "it may pass 100 %" not in page(gpt3_175b(kappa_u=HALF, **flash))
    assert "it may pass 100 %" not in page(gpt3_175b(kappa_u=ALL, z_a=0, kappa=ALL))


def test_a_model_without_attention_has_one_mfu() -> None:
    assert "the same step has an MFU of" not in page(llama3_8b(z_h=0, H=0, K=0))


def test_the_bubble_is_told_by_both_of_its_measures() -> None:
    text, v = page(llama3_405b()), Desk(llama3_405b(), plan()).base
    found = re.search(r"The bubble is ([\d.]+) % of the step\. .* it is ([\d.]+) %: the idle", text)
    assert found is not None
    bubble = float(v["T_idle"])
    pipeline = bubble + float(v["m"] * v["T_max"])
    assert float(found[1]) == pytest.approx(100 * bubble / float(v["T_step"]), abs=0.05)
    assert float(found[2]) == pytest.approx(100 * bubble / pipeline, abs=0.05)
    assert "The bubble is" not in page(llama3_8b())


def test_rows_of_the_data_axes_say_how_often_what_is_sent() -> None:
    found = {row[0]: row for row in rows(page(experts_64()), "What a rank of the slowest stage sends")}
    assert found["data, 64 ranks: gradients reduce-scattered"][2] == "1"
    assert found["expert data, 8 ranks: new weights all-gathered"][2] == "1"


def test_the_words_of_a_figure_need_no_signs() -> None:
    (alternative,) = re.findall(r"!\[(matrix products.*?)\]\(waterfall", page(llama3_405b()))
    assert "optimizer less than 0.001 s" in alternative
    assert "<" not in alternative


@pytest.mark.parametrize(
    "longest", ["0.0000217", "0.093", "0.96", "1", "6.107", "9.99", "79.05", "123456"]
)
def test_an_axis_has_few_round_ticks_and_ends_with_one(longest: str) -> None:
    end, ticks = round_axis(Fraction(longest))
    step = ticks[1]
    assert ticks[0] == 0
    assert end == ticks[-1]
    assert len(ticks) <= MOST_TICKS + 1
    assert end - step < Fraction(longest) <= end
    assert f"{float(step):e}"[0] in "125"
    assert all(b - a == step for a, b in pairwise(ticks))


def test_nothing_of_time_is_left_out_without_tokens() -> None:
    found = [getattr(block, "label", "") for block in time(Desk(llama3_8b(T_tok=0), plan()))]
    assert {"flows", "waterfall"} <= set(found)
    assert "days" not in found


def test_beside_the_parts_of_a_step_stands_what_no_part_explains() -> None:
    job = llama3_8b()
    step = Desk(job, plan()).base["T_step"]
    for times, word in ((Fraction(5, 4), "more"), (Fraction(3, 4), "less")):
        known = replace(job, published=Results({"T_step": step * times}, "a paper"))
        *parts, whole, last = rows(page(known), "Where a step's time goes")
        assert (whole[0], last[0]) == ("step", "as published")
        told = re.fullmatch(r"([\d.]+) (m?s) (more|less) than the plan has", last[3])
        assert told is not None
        assert told[3] == word
        assert number(last[1]) - number(whole[1]) == pytest.approx(
            number(told[1]) * (1 if word == "more" else -1), rel=0.02
        )
        assert number(last[2]) == pytest.approx(100 * float(times), abs=0.1)
        assert len(parts) > 3
    assert rows(page(job), "Where a step's time goes")[-1][0] == "step"
