"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source

RING_ATTENTION = Source(
    "Liu, Zaharia and Abbeel",
    "Ring Attention with Blockwise Transformers for Near-Infinite Context",
    2023,
    "section 3, “Ring-Based Blockwise Attention”",
    "https://arxiv.org/abs/2310.01889",
)
RING_ATTENTION_INTENSITY = Source(
    "Liu, Zaharia and Abbeel",
    "Ring Attention with Blockwise Transformers for Near-Infinite Context",
    2023,
    "section 3, “Arithmetic Intensity Between Hosts”, with table 2",
    "https://arxiv.org/abs/2310.01889",
)
RING_ATTENTION_MEMORY = Source(
    "Liu, Zaharia and Abbeel",
    "Ring Attention with Blockwise Transformers for Near-Infinite Context",
    2023,
    "section 3, “Memory Requirement”",
    "https://arxiv.org/abs/2310.01889",
)
STRIPED_ATTENTION = Source(
    "Brandon et al.",
    "Striped Attention: Faster Ring Attention for Causal Transformers",
    2023,
    "abstract, section 1 and section 4",
    "https://arxiv.org/abs/2311.09431",
)
ULYSSES = Source(
    "Microsoft",
    "DeepSpeed Ulysses: System Optimizations for Enabling Training of Extreme Long Sequence "
    "Transformer Models",
    2023,
    "“Significant Communication Volume Reduction”, in the project's account of arXiv 2309.14509",
    "https://github.com/deepspeedai/DeepSpeed/blob/master/blogs/deepspeed-ulysses/README.md",
)
LLAMA_3_CP = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2, “Context parallelism for long sequences”",
    "https://arxiv.org/abs/2407.21783",
)
RING_FLASH_ATTENTION = Source(
    "Zhu",
    "ring-flash-attention",
    2024,
    "ring_flash_attn/ring_flash_attn.py, ring_flash_attn_forward and ring_flash_attn_backward",
    "https://github.com/zhuzilin/ring-flash-attention/blob/main/ring_flash_attn/ring_flash_attn.py",
)
TRANSFORMER_ENGINE_GATHER = Source(
    "NVIDIA",
    "Transformer Engine",
    2025,
    "context_parallel.py, AttnFuncWithCPAndKVAllGather",
    "https://github.com/NVIDIA/TransformerEngine",
)
FLASH_BACKWARD = Source(
    "Dao",
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    2023,
    "section 4.1: two products forward, five backward, one of them computed again",
    "https://arxiv.org/abs/2307.08691",
)
