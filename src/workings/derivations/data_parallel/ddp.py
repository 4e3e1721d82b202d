"""DDP: a replica, its backward and its buckets.

A replica does its share of the work but holds the whole state; the first two entries say so. Gradients
are sent in buckets while the backward goes on: how many there are, what the last one holds, how long
their all-reduces take, and how long the backward takes with them. Only the last bucket must show; where
reducing is the slower, there is a best number of buckets. The section ends with the tokens from which
the backward hides the all-reduce and with what a pipeline's cooldown hides. All buckets are taken to be
equal.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, like
from workings.derivation.chain import Row
from workings.derivations.data_parallel._letters import SAME
from workings.derivations.data_parallel._step import one_column
from workings.derivations.data_parallel._tokens import backward_flops, forward_flops
from workings.derivations.experts._letters import ROUTING
from workings.derivations.sources import (
    MEGATRON_PIPELINE,
    SCALING_BOOK_FLOPS,
    SCALING_BOOK_FSDP,
    ZERO,
    scaling_book,
)
from workings.simulate.pipeline import one_f_one_b
from workings.simulate.prefetch import ddp_backward
from workings.simulate.ring import all_reduce
from workings.simulate.search import golden_bracket
from workings.simulate.tensors import ffn_weights, total_bytes, training_state
from workings.simulate.training_step import DDP
from workings.units import FLOP, ONE, SECOND
from workings.vocabulary.data_parallel import (
    ALL_REDUCE_BYTES_TIME,
    BACKWARD,
    BUCKET_BACKWARD,
    BUCKET_PARAMETERS,
    BUCKET_REDUCE,
    BUCKET_STARTUP,
    BUCKETS,
    BUCKETS_REAL,
    STAGE_BACKWARD,
    STAGE_SYNC,
)
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE, LATENCY
from workings.vocabulary.layout import DP, STAGES
from workings.vocabulary.model import ACTIVE_PARAMETERS
from workings.vocabulary.state import HELD
from workings.vocabulary.training import (
    GRADIENT_WIDTH,
    MASTER_WIDTH,
    MICROBATCHES,
    MOMENT_WIDTH,
    REDUCE_WIDTH,
    TOKENS,
    WORKING_WIDTH,
)

SCALING_BOOK_GPU_DATA = scaling_book("gpus", "part 12, “Data Parallelism”, on MoE models")


def deal_tokens_out(B: int, P: int, d: int) -> int:
    """Tokens dealt out to the devices in turn; the products of the first device counted."""
    return sum(forward_flops(P) + backward_flops(P) for _ in range(0, B, d))


DATA_PARALLEL_FLOPS = derivation(
    "data-parallel-flops",
    title="FLOPs of a device in a step of data parallelism",
    phrases="compute per DP rank; 6PB/d; FLOPs of a replica per step; global batch split among GPUs, "
    "flops each; 6ND over number of GPUs; work per GPU when batch is divided",
    unit=FLOP,
    letters={"B": TOKENS, "P": ACTIVE_PARAMETERS, "d": DP},
    given=("d divides B",),
    source=SCALING_BOOK_FLOPS,
    oracle=deal_tokens_out,
    convention="Matrix products of the parameters only: 2 FLOPs a token forward, 4 backward.",
    leaves_out="Attention's products of activations, recomputation.",
    chain="""
    F_dp = sum(2[FLOP]*P + 4[FLOP]*P, (i, 1, B/d))     -- forward and backward of its share of tokens
      = 6[FLOP]*P*(B/d)                                -- `1/d` of the work, of all the memory
    """,
)


def list_a_replica(w_c: Fraction, w_g: Fraction, w_p: Fraction, w_o: Fraction) -> Fraction:
    """Every tensor of a small model listed with its bytes, over the bytes of the working weights."""
    working = total_bytes(ffn_weights(2, 3, 5, w_c))
    return (working + total_bytes(training_state(ffn_weights(2, 3, 5, w_p), w_g, w_o))) / working


DDP_STATE_OVER_WEIGHTS = derivation(
    "ddp-state-over-weights",
    title="Model state of a replica over its working weights",
    phrases="replica memory relative to bf16 weights; DP memory multiplier of weights; why training "
    "needs 8x inference memory; how many times larger is training than weights; optimizer and grads as "
    "multiple of weights; DDP replica size versus weight size; ratio of training memory to bf16 weights",
    unit=ONE,
    letters={"w_c": WORKING_WIDTH, "w_g": GRADIENT_WIDTH, "w_p": MASTER_WIDTH, "w_o": MOMENT_WIDTH},
    given=("w_c > 0[byte]",),
    source=ZERO.at("section 3.1"),
    oracle=list_a_replica,
    convention="Mixed precision with AdamW; data parallelism divides none of it.",
    ledger=(
        Row("working weights", "w_c/w_c", "what a forward reads"),
        Row("gradients", "w_g/w_c", "one a parameter"),
        Row("master weights", "w_p/w_c", "what the optimizer updates"),
        Row("first moments", "w_o/w_c", "AdamW's mean of the gradient"),
        Row("second moments", "w_o/w_c", "AdamW's mean of its square"),
    ),
    chain="""
    R_dp = rows                                  -- five tensors the shape of the model
      = (w_c + w_g + w_p + 2*w_o)/w_c            -- bytes a parameter, over those of a working weight
    """,
)


MEGATRON_BUCKETS = Source(
    "NVIDIA",
    "Megatron Core developer guide, DistributedDataParallelConfig",
    None,
    "“bucket_size”",
    "https://docs.nvidia.com/megatron-core/developer-guide/0.18.1/apidocs/core/"
    "core.distributed.fsdp.src.megatron_fsdp.distributed_data_parallel_config.html",
)


def fill_buckets(P: int, P_b: int) -> int:
    """Gradients put in one by one, last parameter first, a new bucket opened when one is full."""
    buckets: list[list[int]] = []
    for parameter in reversed(range(P)):
        if not buckets or len(buckets[-1]) == P_b:
            buckets.append([])
        buckets[-1].append(parameter)
    return len(buckets)


DDP_BUCKETS = derivation(
    "ddp-buckets",
    title="Gradient buckets",
    phrases="bucket_cap_mb count; number of gradient buckets DDP; allreduce calls per backward; how "
    "many chunks are gradients grouped into; reducer bucket count; ddp-bucket-size flag",
    unit=ONE,
    noun="buckets",
    letters={"P": HELD, "P_b": BUCKET_PARAMETERS},
    source=MEGATRON_BUCKETS,
    oracle=fill_buckets,
    leaves_out="Tensors that a bucket takes or leaves as a whole.",
    chain="""
    n_b = ceil(P/P_b)       -- a bucket that is only partly filled is still sent
    """,
)


DDP_NOTES = Source(
    "PyTorch",
    "Distributed Data Parallel",
    None,
    "“Internal Design”, construction and backward pass",
    "https://docs.pytorch.org/docs/stable/notes/ddp.html",
)


def empty_full_buckets(P: int, P_b: int) -> int:
    """Full buckets sent off one after the other, and what is left for the last."""
    left = P
    while left > P_b:
        left -= P_b
    return left


DDP_LAST_BUCKET = derivation(
    "ddp-last-bucket",
    title="Gradients in the last bucket",
    phrases="size of the final DDP bucket; leftover gradients bucket; first layers' gradients synced at "
    "the end; tail allreduce after backward; bucket that cannot overlap",
    unit=ONE,
    noun="parameters",
    letters={"P": HELD, "P_b": BUCKET_PARAMETERS},
    uses={"n_b": DDP_BUCKETS.at()},
    source=DDP_NOTES,
    oracle=empty_full_buckets,
    convention="Buckets fill in the order of the backward: the first layers' gradients come last.",
    chain="""
    P_last = P - (n_b - 1)*P_b              -- what all the full ones before it leave
      = P - (ceil(P/P_b) - 1)*P_b           -- put the buckets in
    """,
)


def send_bucket_after_bucket(
    P: int, d: int, k_b: int, g: Fraction, alpha: Fraction, W_b: Fraction
) -> Fraction:
    """Each bucket walked round the ring hop by hop; start-ups and bytes added up in seconds."""
    seconds = Fraction(0)
    for _ in range(k_b):
        walk = all_reduce(d, g * P / k_b)
        seconds += walk.hops * alpha + walk.sent[0] / W_b
    return seconds


DDP_SYNC_TIME = derivation(
    "ddp-sync-time",
    title="Time to all-reduce the gradients in buckets",
    phrases="bucketed gradient allreduce duration; DDP sync latency with start-ups per bucket; how long "
    "does DDP spend in allreduce; time for exchanging gradients between replicas; gradient sync "
    "duration with bucket_cap_mb; duration of gradient synchronisation; latency cost of many buckets",
    unit=SECOND,
    letters={**SAME, "k_b": BUCKETS, "g": REDUCE_WIDTH, "alpha": LATENCY, "W_b": BANDWIDTH},
    source=MEGATRON_BUCKETS,
    oracle=send_bucket_after_bucket,
    convention="All buckets equal, one after the other, each on a ring.",
    chain="""
    T_sync = sum(2*sum(alpha + g*P/(k_b*d)/W_b, (j, 1, d - 1)), (i, 1, k_b))
                                          -- a bucket goes round twice: a start-up and `1/d` of it a hop
      = k_b*(2*(d - 1)*(alpha + g*P/(k_b*d)/W_b))      -- equal hops, equal buckets
      = 2*(d - 1)*k_b*alpha + 2*(d - 1)/d*g*P/W_b      -- buckets multiply start-ups, and bytes not at all
    """,
)


def run_buckets(k_b: int, T_c: Fraction, T_a: Fraction) -> Fraction:
    """Each bucket all-reduced on a second stream once it is full; when the last one ends."""
    return ddp_backward(k_b, T_c, T_a).makespan


DDP_BACKWARD_TIME = derivation(
    "ddp-backward-time",
    title="Backward pass of DDP with its gradients' all-reduce",
    phrases="DDP backward duration with overlap; bucketed backward plus allreduce time; how long is "
    "loss.backward() under DDP; bucketed overlap timeline; DDP overlap time of gradients and "
    "communication",
    unit=SECOND,
    letters={"k_b": BUCKETS, "T_c": BUCKET_BACKWARD, "T_a": BUCKET_REDUCE},
    source=DDP_NOTES,
    oracle=run_buckets,
    convention="A bucket is all-reduced while the next one is computed; all buckets are equal.",
    chain="""
    T_ddp = T_c + sum(max(T_c, T_a), (i, 1, k_b - 1)) + T_a
                                      -- first bucket; then the slower of computing one and reducing one
      = T_c + (k_b - 1)*max(T_c, T_a) + T_a      -- equal buckets; the last reduce hides behind nothing
    """,
)


def search_bucket_counts(
    T_B: Fraction, k_b: Fraction, T_0: Fraction, T_x: Fraction
) -> tuple[Fraction, Fraction]:
    """A search over the number of buckets, its times those of buckets run on two streams."""

    def end(buckets: Fraction) -> Fraction:
        return T_B / buckets + buckets * T_0 + T_x

    for whole in (1, 2, 5, 9):
        timeline = ddp_backward(whole, T_B / whole, T_0 + T_x / whole)
        if timeline.makespan != end(Fraction(whole)):
            raise AssertionError("The search looks at other times than the streams have.")
    return golden_bracket(end, 0, Fraction(10**6), 120)


DDP_BEST_BUCKETS = derivation(
    "ddp-best-buckets",
    title="Least time of a backward whose all-reduce is the slower",
    phrases="optimal number of DDP buckets; best bucket size; minimal overlapped backward time; optimal "
    "bucket_cap_mb when communication-bound; ideal number of gradient buckets when network is slow",
    unit=SECOND,
    letters={"T_B": BACKWARD, "k_b": BUCKETS_REAL, "T_0": BUCKET_STARTUP, "T_x": ALL_REDUCE_BYTES_TIME},
    given=("T_x >= T_B",),
    source=MEGATRON_BUCKETS,
    oracle=search_bucket_counts,
    convention="The number of buckets taken as a real number; on a ring, `T_0` is a start-up a hop.",
    leaves_out="Where compute is the slower, only the last bucket shows: the more buckets, the smaller.",
    chain="""
    T_best = T_B/k_b + k_b*(T_0 + T_x/k_b)
                             -- until the first bucket is full; then one all-reduce after the other
      = T_B/k_b + k_b*T_0 + T_x      -- only the start-ups grow with the number of buckets
      minimise over k_b at sqrt(T_B/T_0) = 2*sqrt(T_B*T_0) + T_x
                             -- least where waiting for the first and all start-ups are equal
    """,
)


def wait_for_buckets(k_b: int, T_c: Fraction, T_a: Fraction) -> Fraction:
    """Both streams run bucket by bucket; the time in which nothing is computed."""
    timeline = ddp_backward(k_b, T_c, T_a)
    return timeline.makespan - timeline.busy("compute")


DDP_EXPOSED_TIME = like(
    "ddp-exposed-time",
    DDP_BACKWARD_TIME,
    title="All-reduce time that the backward of DDP does not hide",
    phrases="non-overlapped DDP allreduce; exposed gradient communication; allreduce tail after "
    "backward; how long cards wait for allreduce to finish; nccl kernel tail at end of step; gradient "
    "sync not overlapped; overlap-grad-reduce leftover",
    uses={"T_ddp": DDP_BACKWARD_TIME.at()},
    source=Source(
        "NVIDIA",
        "NeMo Framework user guide, Communication Overlap",
        None,
        "“Data-parallel Communication Overlap”",
        "https://docs.nvidia.com/nemo-framework/user-guide/24.12/nemotoolkit/features/optimizations/communication_overlap.html",
    ),
    oracle=wait_for_buckets,
    convention="The backward's compute takes `k_b*T_c`, the all-reduce of all gradients `k_b*T_a`.",
    chain="""
    X_ddp = T_ddp - k_b*T_c                                  -- the pass, less its compute
      = T_a + (k_b - 1)*(max(T_c, T_a) - T_c)                -- put the pass in, collect
      = T_a + (k_b - 1)*max(0[s], T_a - T_c)     -- the last bucket always shows; others by their excess
      = T_a + (k_b - 1)/k_b*max(0[s], k_b*T_a - k_b*T_c)
                                 -- one bucket, and of many buckets nearly all the excess of the whole
    """,
)


def race_the_all_reduce(B: int, P: int, d: int, g: Fraction, C: Fraction, W_b: Fraction) -> bool:
    """Multiplications counted in a real backward against bytes counted in a real step."""
    sent = one_column(d, 1, DDP).all_reduced * g * P
    return Fraction(B * backward_flops(P), d) / C >= sent / W_b


DDP_HIDDEN_TOKENS = derivation(
    "ddp-hidden-tokens",
    title="Tokens from which the backward of DDP hides its all-reduce",
    phrases="data parallelism across nodes, tokens per GPU to be compute-bound; "
    "tokens per GPU to overlap DDP allreduce; DDP compute-bound batch; minimum batch for hidden "
    "gradient sync; how many tokens per GPU for DDP to scale; can gradient sync hide behind backward; "
    "what batch do I need so DDP overlaps; when is data parallelism communication-bound",
    unit=ONE,
    noun="tokens",
    letters={"B": TOKENS, **SAME, "g": REDUCE_WIDTH, "C": COMPUTE, "W_b": BANDWIDTH},
    source=SCALING_BOOK_FSDP.at("part 5, “Data Parallelism”"),
    oracle=race_the_all_reduce,
    convention="Many buckets, so that all but the last can hide; matrix products only.",
    leaves_out="Start-up latency, the last bucket, and devices that run below their peak.",
    chain="""
    4[FLOP]*(B/d)*P/C >= 2*(d - 1)/d*g*P/W_b     -- a product each for weights and inputs
      <=> B/d >= (d - 1)/d*(g*C/(2[FLOP]*W_b))   -- cancel `P`: tokens a device
      <=> B >= (d - 1)*(g*C/(2[FLOP]*W_b))       -- multiply by `d`: all tokens
    """,
)


def race_the_experts_all_reduce(
    B: int, P: int, d: int, E: int, k_E: int, g: Fraction, C: Fraction, W_b: Fraction
) -> bool:
    """Products of each token's own experts counted in a real backward, against a real step's bytes."""
    flops = sum((Fraction(backward_flops(P), E) for _ in range(k_E)), Fraction(0))
    return B * flops / d / C >= one_column(d, 1, DDP).all_reduced * g * P / W_b


MOE_DDP_HIDDEN_TOKENS = like(
    "moe-ddp-hidden-tokens",
    DDP_HIDDEN_TOKENS,
    title="Tokens from which the backward of DDP hides the all-reduce of its experts",
    phrases="MoE data parallel critical batch; E/k times the tokens per GPU; tokens per GPU for a sparse "
    "model to hide gradient sync; why does a mixture need a larger batch for data parallelism; B/X > E/k "
    "C/W; gradient allreduce of all experts against compute of a few",
    letters={"B": TOKENS, **SAME, **ROUTING, "g": REDUCE_WIDTH, "C": COMPUTE, "W_b": BANDWIDTH},
    given=("k_E <= E",),
    source=SCALING_BOOK_GPU_DATA,
    oracle=race_the_experts_all_reduce,
    convention="Many buckets, so that all but the last can hide; matrix products of routed experts only, "
    "of which every device holds all; even load.",
    leaves_out="Start-up latency, the last bucket, attention and shared experts, and devices that run "
    "below their peak.",
    chain="""
    4[FLOP]*(k_E/E)*(B/d)*P/C >= 2*(d - 1)/d*g*P/W_b   -- a token meets `k_E/E` of what is all-reduced
      <=> B/d >= E/k_E*((d - 1)/d)*(g*C/(2[FLOP]*W_b)) -- cancel `P`: tokens a device
      <=> B >= E/k_E*(d - 1)*(g*C/(2[FLOP]*W_b))       -- `E/k_E` times those of a dense model
    """,
)


def wait_for_the_first_stage(p: int, m: int, T_p: Fraction, T_s: Fraction) -> Fraction:
    """1F1B run task by task; how long each stage's sync runs before the whole pipeline is done."""
    if T_p == 0:
        return Fraction(0)  # no schedule has tasks without a length
    schedule = one_f_one_b(p, m, T_p / 2, T_p)
    hidden = Fraction(0)
    for stage in range(p):
        last = max(task.end for task in schedule.tasks if task.rank == stage)
        hidden += min(schedule.makespan - last, T_s)
    return hidden / p


COOLDOWN_HIDDEN_SYNC = derivation(
    "cooldown-hidden-sync",
    title="Gradient synchronisation that hides in a pipeline's cooldown",
    phrases="gradient sync hidden in pipeline drain; DP overlap with the cooldown phase; allreduce in "
    "the flush bubble; allreduce during the bubble at the end; overlap gradient reduce with PP bubble",
    unit=SECOND,
    letters={"p": STAGES, "m": MICROBATCHES, "T_p": STAGE_BACKWARD, "T_s": STAGE_SYNC},
    given=("T_s >= (p - 1)*T_p",),
    source=MEGATRON_PIPELINE,
    oracle=wait_for_the_first_stage,
    convention="Mean over the stages; each synchronises after its last backward, all step together.",
    leaves_out="Overlap with a stage's own last backward; the first stage hides nothing in the cooldown.",
    chain="""
    H_cool = sum((i - 1)*T_p, (i, 1, p))/p     -- stage `i` is done `i - 1` backwards before the first
      = p*(p - 1)/2*T_p/p                      -- the whole numbers below `p` added up
      = (p - 1)/2*T_p                          -- half the cooldown
      <= T_s/2                                 -- as `T_s` is no less than the whole: at best half of it
    """,
)
