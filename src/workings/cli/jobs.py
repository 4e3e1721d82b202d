"""The job of a command line: a file or one line of options, with settings over it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from workings.cli.options import job_set_option
from workings.errors import UserError

_OPTIONS = (
    ("--hf", "The Hugging Face config.json that describes the model."),
    ("--model", "The preset of the model, such as llama3-70b."),
    ("--model-file", "The TOML file with the model's sizes."),
    ("--gpu", "The preset of the device, such as h100-sxm."),
    ("--gpus", "The number of devices in all."), ("--per-node", "The number of devices in a node."),
    ("--cluster", "The TOML file that describes the cluster."),
    ("--price", "The price of a device, such as '2 USD/h'."),
    ("--seq", "The length of a sequence in tokens."),
    ("--global-batch", "The batch of a step: tokens such as 4M, or a number of sequences."),
    ("--tokens", "The tokens of the whole run, such as 15T."),
    ("--launch", "The TOML file with layout and training."),
    ("--megatron", "The launch of Megatron-LM: a shell line, YAML or a dictionary."),
    ("--torchtitan", "The job file of torchtitan."),
    ("--framework", "The program that trains: megatron, deepspeed or torchtitan."),
    ("--name", "The name of the job."),
    ("--dp", "The degree of data parallelism."), ("--tp", "The degree of tensor parallelism."),
    ("--cp", "The degree of context parallelism."), ("--pp", "The number of pipeline stages."),
    ("--ep", "The degree of expert parallelism."),
    ("--etp", "The degree of tensor parallelism inside experts."),
    ("--virtual-stages", "The number of model chunks on a pipeline rank."),
    ("--microbatch", "The number of sequences in a micro-batch."),
    ("--zero", "The stage of ZeRO, from 0 to 3."),
    ("--recompute", "What the backward computes again: none, selective, full, or parts (docs/keys.md)."),
    ("--sequence-parallel", "Whether sequence parallelism is on: true or false."),
)  # fmt: skip
MIN_MFU = "The MFU that is to be reached, such as 0.35 or '35 %'."


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The job: a file, or one line of options, with settings over it."""
    for name, words in reversed(_OPTIONS):
        command = click.option(name, help=words)(command)
    command = job_set_option(command)
    return click.argument("file", required=False, type=click.Path(path_type=Path))(command)


trace_option = click.option(
    "--trace", type=click.Path(path_type=Path), metavar="FILE",
    help="JSON file to write: the step as a timeline for Perfetto or chrome://tracing.",
)  # fmt: skip


def apart(*paths: Path | None) -> None:
    """Refuse to write over an input, or one output over the other."""
    named = [path for path in paths if path is not None]
    for place, path in enumerate(named):
        if path.resolve() in [other.resolve() for other in named[:place]]:
            raise UserError(f"{path}: found it named twice, expected a file of its own for each")


def one_thread() -> None:
    """Keep NumPy from starting threads that no command uses; to be called before it is loaded."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
