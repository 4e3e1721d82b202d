"""Publications on activation memory; each was opened at the place named."""

from workings.derivation import Source


def korthikanti(where: str) -> Source:
    """A place in the paper that counted the tensors of a block first."""
    return Source(
        "Korthikanti et al.",
        "Reducing Activation Recomputation in Large Transformer Models",
        2023,
        where,
        "https://arxiv.org/abs/2205.05198",
    )


def megatron(file: str, where: str) -> Source:
    """A place in Megatron-LM's code."""
    url = f"https://github.com/NVIDIA/Megatron-LM/blob/main/{file}"
    return Source("NVIDIA", "Megatron-LM", None, f"{file}, {where}", url)


TENSOR_EQ_2 = korthikanti("section 4.2.1, equation 2")
PIPELINE_EQ_5 = korthikanti("section 4.2.3, equation 5")
ENDS = korthikanti("section 4.3")
FULL = korthikanti("section 5 and table 2")
DEALLOCATION = korthikanti("appendix B")
