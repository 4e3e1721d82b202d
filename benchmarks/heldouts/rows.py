"""The rows set aside, as they stand, and which pages are one source."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

FOLDER = Path(__file__).parents[1] / "heldout"
FILE = FOLDER / "rows.toml"
LATER = {
    name: FOLDER / name / "rows.toml"
    for name in ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
}
# Sets that nothing is fitted to and no odds are drawn from: not yet scored, or kept for a later model.
UNFITTED: tuple[str, ...] = ("eighth",)
Row: TypeAlias = Mapping[str, Any]
# Pages of one repository, and two captures of one page, count as one source; so do those of the same
# people with the same program on the same machines: an author's two pull requests, a project's issues,
# a centre and a group that share a fork and a machine (cscs, swiss-ai), a report and a page of
# InternEvo's group (amsp), two reports of one series (nemotron4), a man's own pages and those of his
# program (haok1402, pith-train). Others with their code are others.
_PAGES = {
    **dict.fromkeys(
        ("mbridge-summary", "mbridge-cards", "mbridge-skills", "mbridge-recipe-prs"), "megatron-bridge"
    ),
    **dict.fromkeys(
        (
            "megatron-lm-readme",
            "megatron-lm-llama",
            "megatron-golden",
            "megatron-prs-6429-6311",
            "megatron-issue-756",
        ),
        "megatron-lm",
    ),
    **dict.fromkeys(("torchtitan-asynctp", "torchtitan-nvfp4", "nvfp4-harness-gb200"), "torchtitan"),
    **dict.fromkeys(("nemo-docs-2412", "nemo-docs-25"), "nemo-docs"),
    **dict.fromkeys(("dsx-bf16-master", "dsx-autotuning-gpt2"), "deepspeed-examples"),
    **dict.fromkeys(("issue-torchtitan-4604", "issue-torchtitan-4605"), "lambda-torchtitan"),
    **dict.fromkeys(
        ("marin-7012-b200", "marin-7201-gb200", "marin-7298-h100-fp8", "marin-7668-megatron-gb200"),
        "marin",
    ),
    **dict.fromkeys(
        ("cscs-reframe-megatron", "swiss-ai-megatron-prs", "swissai-pr33"), "swiss-ai-megatron"
    ),
    **dict.fromkeys(
        (
            "titan-deepep-h100",
            "titan-symm-gb200",
            "titan-fused-gb300",
            "titan-dsv3-16b-h100",
            "titan-issue-1789",
            "titan-graph-h100",
            "titan-b200-gb200-dense",
            "titan-qwen3-32b-h100",
            "titan-simplefsdp",
            "titan-fsdp2-2024",
            "titan-2025-h100-dense",
            "titan-gptoss-compile",
            "titan-pr-float8-8b",
            "titan-pr-822-996",
            "titan-pr-355-a100",
            "titan-pr-165",
            "titan-pr-1690-qwen3-32b",
            "titan-pr-2107-dsv3-671b",
            "titan-pr-dsv3-16b",
            "titan-pr-graphtrainer",
            "titan-pr-1881-simplefsdp",
            "titan-pr-2679-hf-moe",
            "titan-pr-logs-2025",
            "titan-issues-3434-3816",
        ),
        "torchtitan",
    ),
    **dict.fromkeys(
        (
            "hy3-gb300-64",
            "hy3-gb300-256",
            "gb300-gke-dsv3-qwen3",
            "gb200-qwen3-30b-mcore",
            "gb200-bridge-gke",
            "hy3-tpu-v5p",
            "hy3-tpu-v5p-nnx",
            "hy3-tpu-v7",
            "qwen3-235b-tpu-v7",
        ),
        "yangwhale",
    ),
    **dict.fromkeys(
        (
            "aws-dsv3-b300",
            "aws-kimi-k2-b300",
            "aws-qwen3-235b-b300",
            "aws-qwen3-30b-h100",
            "aws-qwen3-8b",
            "p5en-qwen3-30b-h200",
        ),
        "aws-distributed-training",
    ),
    **dict.fromkeys(("fp8flow-dsv3", "fp8flow-dsv2", "fp8flow-qwen3"), "fp8flow"),
    **dict.fromkeys(("bionemo", "bionemo-mixtral-te-b300", "bionemo-mixtral-b200-stacks"), "bionemo"),
    **dict.fromkeys(("automodel-gb200", "automodel-h100-70b"), "NVIDIA-NeMo/Automodel"),
    **dict.fromkeys(("maxtext-v5p-readme", "maxtext-v5e-readme", "maxtext-usp-v5p"), "maxtext"),
    **dict.fromkeys(("paip-qwen3-4b-h200", "pai-h800"), "pai-megatron"),
    **dict.fromkeys(
        (
            "together-gb200-racks",
            "together-8gpu",
            "together-llama70b-fsdp",
            "together-nemotron15b",
            "together-qwen3-235b",
            "together-512",
        ),
        "together",
    ),
    **dict.fromkeys(("apertus-moe-qwen3-30b", "apertus-longcontext"), "swiss-ai-megatron"),
    **dict.fromkeys(
        (
            "primus-amd",
            "primus-dsv3-mi355x",
            "primus-turbo-megamoe",
            "turbo-qwen3-mi355x",
            "gptoss20b-mi355x-mlperf",
        ),
        "primus",
    ),
    "bigscience-prequel": "bigscience-v100",
    "oellm-jupiter": "jupiter-gh200",
    "olmo-core-64k": "olmo-core-h100-fp8",
    "haok-dsv2-lite": "pith-train",
    "mbridge-lowprec-gb200": "megatron-bridge",
    "primerl-titan-b300": "prime-rl-sft",
    "marin-exp117-tpu-hbm": "marinfold-exp112",
    "amsp": "internevo",
    "nemotron4-340b": "nemotron4-15b",
    **{f"mlperf-v{version}": "mlperf" for version in ("3.0", "3.1", "4.0", "4.1", "5.0", "5.1")},
}
# The first that a row's framework names, and what `launch.framework` calls it.
_PROGRAMS = (
    ("AutoModel", "NeMo AutoModel", ""), ("Megatron[ -]Bridge", "Megatron Bridge", "megatron"),
    ("Deep(?:er)?Speed", "DeepSpeed", "deepspeed"),
    ("NeMo", "NeMo", "megatron"), ("Megatron|FlagScale", "Megatron-LM", "megatron"),
    ("torchtitan", "torchtitan", "torchtitan"), ("MaxText", "MaxText", ""), ("Pax", "Pax", ""),
    ("InternEvo", "InternEvo", ""), ("Paddle", "PaddlePaddle", ""), ("OneFlow", "OneFlow", ""),
    ("torchprime", "torchprime", ""), ("Levanter", "Levanter", ""), ("OLMo-core", "OLMo-core", ""),
    ("Fast-LLM", "Fast-LLM", ""), ("nnScaler", "nnScaler", ""), ("Colossal", "Colossal-AI", ""),
    ("SageMaker", "SageMaker", ""), ("PithTrain", "PithTrain", ""), ("Modalities", "Modalities", ""),
    ("(?<!Ya)FSDP", "PyTorch FSDP", ""),
)  # fmt: skip
_COMPILED = (
    r"^(?:True|yes|whole|transformer blocks|model and loss|fullgraph=True)|torch\.compile(?!.*only)"
)
_SPELT = ("TorchTitan", "torchtitan")
_TO_COME = r"FP8 named as future work"  # of what the run was not


class RefusedError(Exception):
    """A row of which no prediction can be made, or which has nothing to hold it against: a kind."""


def rows(file: Path = FILE) -> Sequence[Row]:
    """Every row of the file; what is written in two ways, as `TorchTitan`, in one."""
    with file.open("rb") as opened:
        found = tomllib.load(opened)["row"]
    return tuple({**row, "framework": row["framework"].replace(*_SPELT)} for row in found)


def every_row() -> Iterator[Row]:
    """The rows of all sets that have been scored."""
    for file in (FILE, *(file for name, file in LATER.items() if name not in UNFITTED)):
        yield from rows(file)


def source(row: Row) -> str:
    """The source that the row's page belongs to."""
    page = str(row["source"])
    return _PAGES.get(page, page)


def eight_bits(row: Row) -> bool:
    """Whether its products are said to be of FP8, per tensor or by blocks."""
    return re.search("FP8|^float8", re.sub(_TO_COME, "", row["precision"])) is not None


def compiled(row: Row) -> bool:
    """Whether its blocks are said to be compiled, or traced as a whole; a loss alone is not."""
    if "compile" not in row:
        said = f"{row['framework']}; {row.get('overlap', '')}"
        return re.search(r"\bcompile\b(?! off)", said) is not None
    return re.search(_COMPILED, str(row["compile"])) is not None


def program(row: Row) -> str:
    """The framework, without its versions."""
    return _named(row)[0]


def framework(row: Row) -> str:
    """The framework as a launch names it; nothing where the product knows no such."""
    return _named(row)[1]


def _named(row: Row) -> tuple[str, str]:
    said = row["framework"]
    found = ((name, ours) for pattern, name, ours in _PROGRAMS if re.search(pattern, said))
    return next(found, ("others", ""))
