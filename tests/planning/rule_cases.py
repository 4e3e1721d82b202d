"""For every rule a job that breaks it."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b

from workings.planning.job import Job

Case = tuple[Callable[..., Job], Mapping[str, int | float | Fraction]]

BREAKING: Mapping[str, Case] = {
    "world-divides": (gpt3_175b, {"t": 7, "t_e": 7}),
    "expert-world-divides": (experts_64, {"e": 24}),
    "batch-feeds-replicas": (gpt3_175b, {"b": 4}),
    "batch-divides": (gpt3_175b, {"b_m": 3}),
    "heads-divide": (gpt3_175b, {"H": 100, "K": 100}),
    "kv-heads-group": (gpt3_175b, {"K": 64}),
    "kv-heads-divide": (gpt3_175b, {"K": 12}),
    "kv-heads-own": (gpt3_175b, {"K": 4}),
    "ffn-divides": (gpt3_175b, {"F": 49156}),
    "vocab-divides": (gpt3_175b, {"V": 50257}),
    "tensor-inside-node": (gpt3_175b, {"n_node": 4}),
    "tensor-fills-node": (gpt3_175b, {"n_node": 12}),
    "tensor-hides": (gpt3_175b, {"W_1": 50_000_000_000}),
    "tensor-needed": (llama3_8b, {"M_dev": 200_000_000_000}),
    "context-halves": (llama3_405b, {"c": 16, "s": 8200}),
    "sequence-shards": (gpt3_175b, {"s": 2044}),
    "sequence-parallel": (gpt3_175b, {"z_s": 0}),
    "sequence-parallel-alone": (llama3_8b, {"t": 1, "t_e": 1}),
    "positions": (gpt3_175b, {"s": 4096}),
    "context-hides": (llama3_405b, {"c": 16, "W_2": 1_000_000_000}),
    "pipeline-depth": (gpt3_175b, {"L": 4, "v": 1}),
    "chunks-have-blocks": (gpt3_175b, {"L": 12}),
    "chunks-need-stages": (llama3_8b, {"v": 2}),
    "ends-take-the-rest": (gpt3_175b, {"L": 9, "v": 1}),
    "stages-balanced": (gpt3_175b, {"L": 97, "v": 1}),
    "microbatches-fill": (gpt3_175b, {"b": 128}),
    "microbatches-enough": (gpt3_175b, {}),
    "microbatches-in-turns": (gpt3_175b, {"b": 800}),
    "virtual-stages": (gpt3_175b, {"v": 1}),
    "pipeline-across-nodes": (llama3_8b, {"p": 2}),
    "pipeline-needed": (llama3_8b, {"p": 2}),
    "zero-nested": (gpt3_175b, {"z_1": 0, "z_2": 1}),
    "copies-divide": (llama3_8b, {"n_r": 3}),
    "optimizer-shared": (gpt3_175b, {"z_1": 0}),
    "zero-with-stages": (gpt3_175b, {"z_2": 1}),
    "slow-link-for-data": (llama3_8b, {"n": 16, "b": 8, "s": 128}),
    "gradients-hide": (gpt3_175b, {"b": 16}),
    "overlapped-reduction": (gpt3_175b, {"h_d": 0}),
    "gather-hides": (llama3_8b, {"z_2": 1, "z_3": 1, "s": 1024}),
    "experts-limit": (gpt3_175b, {"e": 2}),
    "experts-divide": (experts_64, {"E": 60}),
    "expert-width-divides": (experts_64, {"F_E": 3070}),
    "experts-in-sequence": (experts_64, {"z_s": 0}),
    "experts-hide": (experts_64, {}),
    "fits": (llama3_8b, {"M_dev": 40_000_000_000}),
    "head-room": (llama3_8b, {"M_dev": 67_000_000_000}),
    "one-granularity": (gpt3_175b, {"z_f": 1}),
    "core-with-flash": (gpt3_175b, {"z_a": 1}),
    "full-recompute-needed": (llama3_8b, {"z_f": 1}),
}


def breaking(rule: str) -> Job:
    """The job that breaks this rule."""
    make, changed = BREAKING[rule]
    return make(**changed)
