"""Publications and programs that rules rest on; each was opened at the place named."""

from workings.derivation import Source

_NARAYANAN = (
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
)
_MEGATRON = ("NVIDIA", "Megatron-LM", 2025)
_BLOB = "https://github.com/NVIDIA/Megatron-LM/blob/main/"
_LLAMA = ("Grattafiori et al.", "The Llama 3 Herd of Models", 2024)


def _narayanan(where: str) -> Source:
    return Source(*_NARAYANAN, where, "https://arxiv.org/abs/2104.04473")


def _megatron(path: str, where: str) -> Source:
    return Source(*_MEGATRON, f"{path}, {where}", _BLOB + path)


def _llama(where: str) -> Source:
    return Source(*_LLAMA, where, "https://arxiv.org/abs/2407.21783")


NARAYANAN_TENSOR = _narayanan("section 3.2, takeaway 1")
NARAYANAN_FIT = _narayanan("section 3.3, takeaway 2")
NARAYANAN_CHUNKS = _narayanan("section 2.2.2")

MEGATRON_ARGUMENTS = _megatron("megatron/training/arguments.py", "validate_args")
MEGATRON_CONFIG = _megatron("megatron/core/model_parallel_config.py", "__post_init__")
MEGATRON_HEADS = _megatron("megatron/core/transformer/transformer_config.py", "__post_init__")
MEGATRON_GROUPS = _megatron("megatron/core/parallel_state.py", "initialize_model_parallel")
MEGATRON_MICROBATCHES = _megatron(
    "megatron/core/num_microbatches_calculator.py", "ConstantNumMicroBatchesCalculator"
)
MEGATRON_LAYERS = _megatron("megatron/core/tensor_parallel/layers.py", "ColumnParallelLinear")
MEGATRON_VOCAB = _megatron("megatron/core/tokenizers/utils/build_tokenizer.py", "vocab_size_with_padding")

KORTHIKANTI_SHARE = Source(
    "Korthikanti et al.",
    "Reducing Activation Recomputation in Large Transformer Models",
    2023,
    "section 4.2.2",
    "https://arxiv.org/abs/2205.05198",
)
KORTHIKANTI_AGAIN = Source(
    "Korthikanti et al.",
    "Reducing Activation Recomputation in Large Transformer Models",
    2023,
    "section 5",
    "https://arxiv.org/abs/2205.05198",
)
LLAMA_BALANCE = _llama("section 3.3.2, “Pipeline parallelism improvements”")
LLAMA_CONTEXT = _llama("section 3.3.2, “Context parallelism for long sequences”")
LLAMA_NETWORK = _llama("section 3.3.2, “Network-aware parallelism configuration”")
ZERO = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "sections 5 and 7",
    "https://arxiv.org/abs/1910.02054",
)
FRAGMENTS = ZERO.at("section 3.2, “Residual Memory Consumption”: memory fragmentation")
DEEPSEEK = Source(
    "DeepSeek-AI", "DeepSeek-V3 Technical Report", 2024, "section 3.2.1, “DualPipe and "
    "Computation-Communication Overlap”", "https://arxiv.org/abs/2412.19437",
)  # fmt: skip
DEEPSPEED_PIPELINE = Source(
    "Microsoft",
    "DeepSpeed",
    2025,
    "deepspeed/runtime/pipe/engine.py, PipelineEngine.__init__",
    "https://github.com/deepspeedai/DeepSpeed/blob/master/deepspeed/runtime/pipe/engine.py",
)
FLASH = Source(
    "Dao et al.",
    "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
    2022,
    "section 3.1",
    "https://arxiv.org/abs/2205.14135",
)
SCALING_BOOK = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 5, “Fully-Sharded Data Parallelism (FSDP)”",
    "https://jax-ml.github.io/scaling-book/training/",
)
_TORCHTITAN = "torchtitan/distributed/parallel_dims.py"


def _torchtitan(where: str) -> Source:
    url = f"https://github.com/pytorch/torchtitan/blob/main/{_TORCHTITAN}"
    return Source("PyTorch", "torchtitan", 2025, f"{_TORCHTITAN}, {where}", url)


TORCHTITAN = _torchtitan("seq_len_divisor")
TORCHTITAN_MESH = _torchtitan("ParallelDims._validate")
