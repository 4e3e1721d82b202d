"""Bytes that Megatron-LM keeps of weights, gradients and optimizer state."""

from __future__ import annotations

from fractions import Fraction

from workings.planning.inputs.given import Entries, Entry, refused
from workings.planning.inputs.megatron.arguments import Arguments
from workings.planning.inputs.products import Products

_KINDS = ("fp32", "fp16", "bf16", "fp8", "float32", "float16", "half", "bfloat16")


def widths(arguments: Arguments) -> Entries:
    """The keys of [launch] that count bytes. Raises JobError."""
    half, given = _half(arguments)
    low = arguments.on("grad_reduce_in_bf16") or (
        arguments.on("fp16") and not arguments.on("accumulate_allreduce_grads_in_fp32")
    )
    two, reduced = (2 if half else 4), (2 if low else 4)
    sizes: dict[str, int | Fraction] = {
        "working": 2 if half else 0, "activation": two, "gather": two, "gradient": reduced,
        "reduce": reduced, "master": 4, "moment": 4, "logit": 4,
    }  # fmt: skip
    sizes |= _optimizer(arguments)
    why = f"Megatron-LM's mixed precision ({given})" if half else "Megatron-LM's FP32"
    file = arguments.reader.file
    return {f"{n}_width": Entry(Fraction(v), "follows", why, file, given) for n, v in sizes.items()}


def _half(arguments: Arguments) -> tuple[bool, str]:
    """Whether weights and activations take two bytes, and what says so. Raises JobError."""
    kind = arguments.text("params_dtype", _KINDS) or ""
    bf16 = arguments.flag("bf16", kind in ("bf16", "bfloat16"))
    fp16 = arguments.flag("fp16", kind in ("fp16", "float16", "half"))
    arguments.flag("accumulate_allreduce_grads_in_fp32")
    if bf16.value and fp16.value:
        raise refused(fp16, f"no {bf16.key} beside it")
    if bf16.value or fp16.value:
        return True, bf16.key if bf16.value else fp16.key
    if arguments.style == "settings" and not kind:  # a configuration object seldom says so
        arguments.reader.note("defaulted", "bf16", "mixed precision with BF16")
        return True, "bf16"
    arguments.reader.note("defaulted", bf16.key, "neither BF16 nor FP16: all in FP32")
    return False, bf16.key


def by_transformer_engine(arguments: Arguments) -> bool:
    """Whether Transformer Engine's layers are used, which is the program's default. Raises JobError."""
    local = arguments.text("transformer_impl", ("local", "transformer_engine", "inference_optimized"))
    return local != "local"


def products(arguments: Arguments) -> Products:
    """How FP32 matrices are multiplied, where there are any. Raises JobError.

    Transformer Engine asks for TF32 (its common/gemm/cublaslt_gemm.cu); Megatron-LM itself leaves
    PyTorch's switch as it is, which has been off since 1.12.
    """
    return "TF32" if by_transformer_engine(arguments) else "FP32"


def _optimizer(arguments: Arguments) -> dict[str, int | Fraction]:
    """What a precision-aware optimizer stores in fewer bytes. Raises JobError."""
    names = ("main_grads_dtype", "main_params_dtype", "exp_avg_dtype", "exp_avg_sq_dtype")
    size = {name: _bytes(arguments.text(name, _KINDS)) for name in names}
    if not arguments.on("use_precision_aware_optimizer"):
        return {}
    moments = Fraction(size["exp_avg_dtype"] + size["exp_avg_sq_dtype"], 2)
    return {"gradient": size["main_grads_dtype"], "master": size["main_params_dtype"], "moment": moments}


def _bytes(kind: str | None) -> int:
    return {"fp8": 1, "fp32": 4, "float32": 4}.get(kind or "fp32", 2)
