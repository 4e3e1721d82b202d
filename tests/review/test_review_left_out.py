"""What the model leaves out of a job in 8 bits, or of a preset that is without a part of its model."""

from fractions import Fraction
from pathlib import Path

from workings.document.blocks import Items, Prose, Text
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.options import job_from_options
from workings.planning.job import Job
from workings.review.desk import Desk
from workings.review.left_out import left_out

DEEPSEEK = Path(__file__).parents[2] / "reports" / "reviews" / "deepseek-v3-2048" / "job.toml"


def said(job: Job) -> str:
    (items,) = (block for block in left_out(Desk(job, plan())) if isinstance(block, Items))
    lines = [block.line for item in items.items for block in item if isinstance(block, Prose)]
    return " ".join(piece.text for line in lines for piece in line if isinstance(piece, Text))


def small(model: str, gpu: str) -> Job:
    return job_from_options(model=model, gpu=gpu, gpus=8, dp=8, seq=4096, global_batch=64, zero=1)


def test_casts_are_named_where_products_are_in_8_bits() -> None:
    assert "Casts to 8 bits and their scales" in said(small("llama3-8b", "h100-sxm-fp8"))
    assert "Casts" not in said(small("llama3-8b", "h100-sxm"))


def test_the_module_for_a_second_token_is_named_where_the_preset_is_without_it() -> None:
    deepseek = said(read_job(DEEPSEEK))
    assert (
        "The module that predicts a second token: neither its memory nor its time is planned" in deepseek
    )
    assert "Casts to 8 bits" in deepseek
    assert "second token" not in said(small("qwen3-30b-a3b", "h100-sxm"))


def test_it_says_how_much_longer_a_step_takes_if_messages_start_as_long_ones_do() -> None:
    far = job_from_options(
        model="llama3-8b", gpu="h100-sxm", gpus=1024, dp=1024, seq=4096, global_batch=1024, zero=3
    )
    inputs = dict(far.values())
    slower = {**inputs, "alpha_1": Fraction(34, 10**7), "alpha_2": Fraction(14, 10**6)}
    soon, late = (exactly(plan(), one, ["T_step"])["T_step"] for one in (inputs, slower))
    assert f"a step takes {100 * float(late / soon - 1):.3g} % longer" in said(far)


def test_starts_are_passed_over_where_they_are_no_matter_or_no_preset_of_nccl() -> None:
    assert "Simple protocol" not in said(small("llama3-8b", "h100-sxm"))
    assert "Simple protocol" not in said(small("llama3-8b", "tpu-v5e"))
