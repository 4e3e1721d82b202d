"""Rules of sequence and context parallelism."""

from workings.planning.rules import sources
from workings.planning.rules.rule import Rule

SEQUENCE = (
    Rule(
        "context-halves",
        "Context-parallel ranks get two equal pieces of a sequence",
        "2*c divides s",
        "under a causal mask a rank gets one piece from the front and one from the back, so that all "
        "compute as much",
        "error",
        sources.MEGATRON_ARGUMENTS,
        entry="zig-zag-imbalance",
        when=("c >= 2",),
        change=("c", "s"),
    ),
    Rule(
        "sequence-shards",
        "Sequence-parallel ranks get equal parts of a sequence",
        "t*c divides s",
        "between the tensor-parallel parts of a block each of the t ranks keeps a t-th of its tokens",
        "error",
        sources.TORCHTITAN,
        entry="block-activations-tp-sp",
        when=("z_s = 1", "t >= 2"),
        change=("t", "s"),
    ),
    Rule(
        "sequence-parallel",
        "Sequence parallelism wherever there is tensor parallelism",
        "z_s = 1",
        "it splits what tensor parallelism leaves whole on all t ranks, and the forward sends no byte "
        "more",
        "warning",
        sources.KORTHIKANTI_SHARE,
        entry="block-activations-tp-sp",
        when=("t >= 2",),
        change=("z_s",),
        beside=("t",),
        text="001, best practice 4",
    ),
    Rule(
        "sequence-parallel-alone",
        "Sequence parallelism needs tensor parallelism",
        "t >= 2",
        "it shares tokens among the ranks of a tensor-parallel group; with one rank Megatron's "
        "arguments switch it off, and its configuration refuses it",
        "note",
        sources.MEGATRON_CONFIG,
        entry="block-activations-tp-sp",
        when=("z_s = 1",),
        change=("z_s",),
    ),
    Rule(
        "positions",
        "Sequences no longer than the learned positions",
        "s <= n_pos",
        "a token beyond the table has no position",
        "error",
        sources.MEGATRON_ARGUMENTS,
        entry="embedding-parameters",
        when=("n_pos >= 1",),
        change=("s",),
    ),
    Rule(
        "context-hides",
        "Context-parallel transfers take no longer than the compute",
        "V_c/W_c <= T_fwd + T_bwd",
        "the compute of attention grows with the square of the sequence and its keys and values do not, "
        "so context parallelism is for long sequences",
        "warning",
        sources.LLAMA_CONTEXT,
        entry="gather-kv-exposed",
        when=("c >= 2",),
        change=("c",),
        beside=("s",),
        text="001, decision tree, step 5",
    ),
)
