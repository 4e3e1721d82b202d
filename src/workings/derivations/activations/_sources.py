"""Publications on activation memory; each was opened at the place named."""

from workings.derivation import Source


def _korthikanti(where: str) -> Source:
    return Source(
        "Korthikanti et al.",
        "Reducing Activation Recomputation in Large Transformer Models",
        2023,
        where,
        "https://arxiv.org/abs/2205.05198",
    )


TENSOR_EQ_2 = _korthikanti("section 4.2.1, equation 2")


PIPELINE_EQ_5 = _korthikanti("section 4.2.3, equation 5")


ENDS = _korthikanti("section 4.3")


DEALLOCATION = _korthikanti("appendix B")


MICROBATCH_RECOMPUTE = _korthikanti("appendix C")


MEGATRON_ACTIVATIONS = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/training/theoretical_memory_usage.py, compute_activation_memory",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/training/theoretical_memory_usage.py",
)
