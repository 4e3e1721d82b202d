"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source

_NARAYANAN = (
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
)


_MEGATRON_URL = "https://arxiv.org/abs/2104.04473"


MEGATRON_GPIPE = Source(*_NARAYANAN, "section 2.2.1 and equation 1", _MEGATRON_URL)


MEGATRON_INTERLEAVED = Source(*_NARAYANAN, "section 2.2.2", _MEGATRON_URL)


MEGATRON_TIME = Source(*_NARAYANAN, "section 3.4, equation 1", _MEGATRON_URL)


ZERO_BUBBLE = Source(
    "Qi et al.",
    "Zero Bubble Pipeline Parallelism",
    2024,
    "sections 2.1 to 2.3, table 2",
    "https://arxiv.org/abs/2401.10241",
)
