"""Rules of memory and of what is computed again to save it."""

from workings.planning.rules import sources
from workings.planning.rules.rule import Rule

MEMORY = (
    Rule(
        "fits",
        "The fullest rank fits",
        "u_M <= x_if",
        "beyond this share, which the review sets, nothing is left for what was not counted: fragments "
        "alone have taken up to 30 %",
        "error",
        sources.FRAGMENTS,
        entry="peak-memory",
        change=("z_s", "b_m", "p", "t"),
        beside=("M", "M_dev"),
        lighter=True,
        text="004, fits in memory",
    ),
    Rule(
        "head-room",
        "The fullest rank leaves head-room",
        "u_M <= x_go",
        "what lies beside arrays, such as buffers and fragments, is assumed, not measured",
        "warning",
        sources.FRAGMENTS,
        entry="peak-memory",
        when=("u_M <= x_if",),
        change=("z_s", "b_m", "p", "t"),
        beside=("M", "M_dev"),
        lighter=True,
    ),
    Rule(
        "one-granularity",
        "Blocks are computed again in part or whole, not both",
        "z_c + z_f <= 1",
        "whole blocks include attention's core; a launcher takes one granularity",
        "error",
        sources.MEGATRON_HEADS,
        entry="block-activations-full",
        change=("z_c", "z_f"),
    ),
    Rule(
        "core-with-flash",
        "Nothing of attention to compute again where it keeps no scores",
        "z_c = 0",
        "FlashAttention keeps no scores and computes them again by itself; to do so once more saves "
        "next to nothing",
        "note",
        sources.FLASH,
        entry="block-activations-flash",
        when=("z_a = 1", "z_f = 0"),
        change=("z_c",),
    ),
    Rule(
        "full-recompute-needed",
        "Computing whole blocks again is needed to fit",
        "M > x_go*M_dev",
        "it costs a third more compute",
        "note",
        sources.KORTHIKANTI_AGAIN,
        entry="recompute-overhead",
        when=("z_f = 1",),
        change=("z_f",),
        at={"z_f": 0},
        text="003, memory challenges",
    ),
)
