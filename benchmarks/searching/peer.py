"""Layouts a second of llm-analysis (PyPI). Run by an interpreter that has it; prints one number.

Every call is given another layout, as a search over layouts would do: 175 billion parameters, and
tensor, pipeline and data parallelism, micro-batch, ZeRO stage and recomputation varied.
"""

from __future__ import annotations

import itertools
import logging
import statistics
import time

# Only found where this script is run.
from llm_analysis.analysis import (  # type: ignore[import-not-found]
    ActivationRecomputation,
    DSZeRO,
    LLMAnalysis,
)
from llm_analysis.config import (  # type: ignore[import-not-found]
    DtypeConfig,
    ModelConfig,
    ParallelismConfig,
    get_gpu_config_by_name,
)
from llm_analysis.logger import logger  # type: ignore[import-not-found]

LAYOUTS = list(
    itertools.product((1, 2, 4, 8), (4, 8), (8, 16), (1, 2), list(DSZeRO), list(ActivationRecomputation))
)
PASSES = 5


def evaluate_all() -> None:
    """Memory and the time of a step of every layout."""
    model = ModelConfig(name="gpt3-175b", num_layers=96, n_head=96, hidden_dim=12288, vocab_size=51200,
                        max_seq_len=2048)  # fmt: skip
    device, widths = get_gpu_config_by_name("h100-sxm-80gb"), DtypeConfig()
    for tp, pp, dp, micro, zero, recompute in LAYOUTS:
        layout = ParallelismConfig(tp_size=tp, pp_size=pp, dp_size=dp, sp_size=tp)
        analysis = LLMAnalysis(
            model, device, widths, layout, flops_efficiency=0.5, hbm_memory_efficiency=0.8
        )
        analysis.training(
            batch_size_per_gpu=micro, global_batch_size=1536, seq_len=2048,
            total_num_tokens=300_000_000_000, activation_recomputation=recompute, ds_zero=zero,
            flash_attn=True,
        )  # fmt: skip


def main() -> None:
    """Print the layouts a second of the median pass."""
    logger.setLevel(logging.ERROR)  # it warns at every call otherwise
    times = []
    for _ in range(PASSES):
        started = time.perf_counter()
        evaluate_all()
        times.append(time.perf_counter() - started)
    print(len(LAYOUTS) / statistics.median(times))


if __name__ == "__main__":
    main()
