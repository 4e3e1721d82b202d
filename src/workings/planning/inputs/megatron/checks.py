"""What Megatron-LM itself refuses (its `validate_args`), said before the job is started.

What any layout must hold (degrees that divide heads, layers or devices) is checked with the layout.
"""

from __future__ import annotations

from workings.planning.inputs.given import refused, shown
from workings.planning.inputs.megatron.arguments import Arguments


def check(arguments: Arguments) -> None:
    """Refuse arguments that contradict each other. Raises JobError."""
    _together(arguments)
    _pipeline(arguments)
    _recompute(arguments)
    _lengths(arguments)


def _number(arguments: Arguments, name: str, default: int = 1) -> int:
    return int(arguments.number(name, default, least=0).value)


def _together(arguments: Arguments) -> None:
    """Switches that need another, or exclude it."""
    tp, pp = (_number(arguments, f"{n}_model_parallel_size") for n in ("tensor", "pipeline"))
    optimizer = arguments.on("use_distributed_optimizer")
    fsdp, torch_fsdp = arguments.on("use_megatron_fsdp"), arguments.on("use_torch_fsdp2")
    for name, needed, text in (
        ("overlap_param_gather", optimizer or fsdp, "use-distributed-optimizer beside it"),
        ("overlap_param_gather", arguments.on("overlap_grad_reduce"), "overlap-grad-reduce beside it"),
        ("tp_comm_overlap", arguments.on("sequence_parallel") or tp == 1, "sequence-parallel beside it"),
        ("use_torch_fsdp2", not optimizer, "no distributed optimizer beside it"),
        ("use_torch_fsdp2", pp == 1, "pipeline-model-parallel-size 1 beside it"),
        ("use_torch_fsdp2", not fsdp, "no use-megatron-fsdp beside it"),
    ):
        if arguments.on(name) and not needed:
            raise arguments.wrong(name, True, text)
    if torch_fsdp and _number(arguments, "expert_model_parallel_size") > 1:
        raise arguments.wrong("use_torch_fsdp2", True, "expert-model-parallel-size 1 beside it")
    if _number(arguments, "expert_model_parallel_size") > 1 and arguments.on("fp16"):
        raise arguments.wrong("fp16", True, "bf16 beside expert parallelism")


def _pipeline(arguments: Arguments) -> None:
    """Layers of stages that are whole."""
    stages, layers = _number(arguments, "pipeline_model_parallel_size"), arguments.whole("num_layers")
    uneven = [f"decoder_{end}_pipeline_num_layers" in arguments.given for end in ("first", "last")]
    if arguments.entry("pipeline_model_parallel_layout") is not None:
        text = "a number of virtual stages instead: the plan does not read layouts"
        raise arguments.wrong("pipeline_model_parallel_layout", "a layout", text)
    if layers is None or any(uneven) or not stages:
        return
    extra = sum(arguments.on(f"account_for_{part}_in_pipeline_split") for part in ("embedding", "loss"))
    if (layers.value + extra) % stages:
        raise refused(layers, f"a multiple of the {shown(stages)} pipeline stages")


def _recompute(arguments: Arguments) -> None:
    """A method goes with full recomputation, and with no other."""
    kind = arguments.text("recompute_granularity", ("none", "null", "full", "selective"))
    method = arguments.text("recompute_method", ("uniform", "block", "none", "null"))
    if kind == "selective" and method in ("uniform", "block"):
        raise arguments.wrong("recompute_method", method, "none beside selective recomputation")
    if kind == "full" and method is None and arguments.style == "shell":
        raise arguments.wrong("recompute_method", None, "uniform or block beside full recomputation")


def _lengths(arguments: Arguments) -> None:
    """A sequence is cut into two pieces for each context-parallel rank."""
    length, ranks = arguments.whole("seq_length"), _number(arguments, "context_parallel_size")
    if length is not None and ranks > 1 and length.value % (2 * ranks):
        raise refused(length, f"a multiple of 2 × context-parallel-size = {shown(2 * ranks)}")
