"""What the model leaves out of a job in 8 bits, or of a preset that is without a part of its model."""

from pathlib import Path

from workings.document.blocks import Items, Prose, Text
from workings.planning.cost import plan
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
