"""Rules of expert parallelism."""

from workings.planning.rules import sources
from workings.planning.rules.rule import Rule

EXPERTS = (
    Rule(
        "experts-limit",
        "No more expert-parallel ranks than experts",
        "e <= max(E, 1)",
        "a rank without an expert has nothing to compute, and a dense model has none to share",
        "error",
        sources.MEGATRON_ARGUMENTS,
        entry="experts-per-rank",
        when=("e >= 2",),
        change=("e",),
        text="001, constraints",
    ),
    Rule(
        "experts-divide",
        "Experts fall evenly to the ranks",
        "e divides E",
        "every rank holds E/e experts of each block",
        "error",
        sources.MEGATRON_ARGUMENTS,
        entry="experts-per-rank",
        when=("E >= 1", "e <= E"),
        change=("e",),
    ),
    Rule(
        "expert-width-divides",
        "An expert's width falls evenly to its ranks",
        "t_e divides F_E",
        "its matrices are split as those of a dense feed-forward are",
        "error",
        sources.MEGATRON_LAYERS,
        entry="split-matmul-flops",
        when=("E >= 1",),
        change=("t_e",),
    ),
    Rule(
        "experts-in-sequence",
        "Expert and tensor parallelism need sequence parallelism",
        "z_s = 1",
        "else the t ranks of a group would send the same tokens to the experts; Megatron asks for it in "
        "training",
        "error",
        sources.MEGATRON_CONFIG,
        entry="rank-tokens",
        when=("t >= 2", "e >= 2"),
        change=("z_s",),
        beside=("t", "e"),
    ),
    Rule(
        "experts-hide",
        "All-to-alls take no longer than the compute",
        "T_ea <= T_fwd + T_bwd",
        "what outlasts the compute of its block cannot hide behind it",
        "warning",
        sources.DEEPSEEK,
        entry="ep-bandwidth-need",
        when=("e >= 2",),
        change=("e",),
        beside=("V_e", "W_e"),
        text="001, communication hierarchy",
    ),
)
