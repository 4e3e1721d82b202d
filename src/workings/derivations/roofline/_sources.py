"""Publications on rooflines; each was opened at the place named, Williams et al. by quotation of it."""

from workings.derivation import Source
from workings.derivations.sources import scaling_book

ROOFLINE = Source(
    "Williams, Waterman and Patterson",
    "Roofline: An Insightful Visual Performance Model for Multicore Architectures",
    2009,
    "“The Roofline Model”: attainable GFlops/sec = min(peak floating-point performance, peak memory "
    "bandwidth × operational intensity)",
    "https://doi.org/10.1145/1498765.1498785",
)
SCALING_BOOK_TIME = scaling_book("roofline", "part 1, “Where Does the Time Go?”")
SCALING_BOOK_MATMUL = scaling_book("roofline", "part 1, “Matrix multiplication”")
SCALING_BOOK_TILES = scaling_book("roofline", "part 1, “Matrix multiplication”, the note on tiles")
SCALING_BOOK_BATCH = scaling_book(
    "roofline", "part 1, “Matrix multiplication” and questions 1, 2 and 5 of “A Few Problems to Work”"
)
SCALING_BOOK_ATTENTION = scaling_book("inference", "part 7, “What about attention?”")
SCALING_BOOK_GROUPED = scaling_book("transformers", "part 4, question 4 of “A Few Problems to Work”")

LLAMA_RMS_NORM = Source(
    "Hugging Face",
    "transformers",
    None,
    "modeling_llama.py, LlamaRMSNorm",
    ""
    "https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama/modeling_llama.py",
)
FUSED_ADAM = Source(
    "PyTorch contributors",
    "PyTorch",
    None,
    "aten/src/ATen/native/cuda/fused_adam_utils.cuh, adam_math and FusedAdamMathFunctor",
    "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/fused_adam_utils.cuh",
)
FLASH_ATTENTION = Source(
    "Dao et al.",
    "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
    2022,
    "section 3.2, theorem 2, with algorithm 1",
    "https://arxiv.org/abs/2205.14135",
)
FLASH_ATTENTION_2 = Source(
    "Dao",
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    2023,
    "section 3.1.1, algorithm 1",
    "https://arxiv.org/abs/2307.08691",
)
STANDARD_ATTENTION = FLASH_ATTENTION.at("algorithm 0 and section 3.2, theorem 2")
STANDARD_BACKWARD = FLASH_ATTENTION.at("appendix B.4, algorithm 3 and theorem 5")
FLASH_BACKWARD = FLASH_ATTENTION.at("appendix B.4, algorithm 4 and theorem 5")
BLOCK_SPARSE = FLASH_ATTENTION.at("section 3.3, proposition 4, and appendix D.1, algorithm 5")
FLASH_BLOCKS = FLASH_ATTENTION.at("section 3.1, algorithm 1")
FLASH_THREAD_BLOCKS = FLASH_ATTENTION_2.at("section 3.2")
KIPPLY = Source(
    "Chen",
    "Transformer Inference Arithmetic",
    2022,
    "“intermediate memory costs”",
    "https://kipp.ly/transformer-inference-arithmetic/",
)
