"""Groups of devices.

Devices that share every layer sum a token's activations twice in each block. While decoding the message
is so small that starting it takes longer than its bytes, and what more devices save in reading they lose
in hops. Devices may instead divide the phases: some prefill and hand keys and values over to others that
decode, which costs a transfer a request and asks for as many of each kind as their work is long.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives.all_to_all import ALL_TO_ALL
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_ALL_REDUCE
from workings.derivations.collectives.ring_time import POINT_TO_POINT_TIME, RING_ALL_REDUCE_TIME
from workings.derivations.serving._step import CACHE, cache_bytes, serving_group, weight_bytes
from workings.derivations.serving._time_sources import (
    DISTSERVE,
    KIPPLY,
    SCALING_BOOK_PREFILL,
    SCALING_BOOK_SHARDED_CACHE,
    SCALING_BOOK_SPREAD,
)
from workings.derivations.serving.kv_cache import KV_CACHE_BYTES
from workings.derivations.tensor_parallel.shares import EVEN
from workings.simulate.clock import Clock, Link
from workings.simulate.head_exchange import exchange_heads
from workings.simulate.kv_cache import decode, grouped, stored
from workings.simulate.ring import all_reduce
from workings.simulate.serving import deal_weights
from workings.simulate.tensors import Tensor, total_bytes
from workings.simulate.timed_ring import all_gather as timed_all_gather
from workings.simulate.timed_ring import all_reduce as timed_all_reduce
from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.hardware import (
    LINK_LATENCY,
    LINK_ONE_WAY,
    MEMORY_BANDWIDTH,
    NETWORK_LATENCY,
    NETWORK_ONE_WAY,
)
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT, Kind
from workings.vocabulary.layout import TP
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL, HEAD_DIM, HEADS
from workings.vocabulary.serving import SERVED_WIDTH
from workings.vocabulary.serving_time import (
    ARRIVALS,
    DECODE_DEVICES,
    OUTPUT_TOKENS,
    PREFILL_DEVICES,
    PREFILL_TIME,
    SERVING_STEP,
)
from workings.vocabulary.training import ACTIVATION_WIDTH, BATCH, SEQUENCE_LENGTH

MOST_RANKS = 24  # on a ring that an oracle walks round
SUMMED = {"b": BATCH, "L": BLOCKS, "D": D_MODEL, "a": ACTIVATION_WIDTH, "t": TP}
LINKED = {**SUMMED, "alpha_1": LINK_LATENCY, "W_1": LINK_ONE_WAY}
TWICE = "Two all-reduces a block, after attention and after the feed-forward, of one token a sequence."
CACHED: dict[Kind | str, str] = {WITH_ATTENTION: "", WITHOUT_LATENT: ""}


def sum_after_every_half_block(b: int, L: int, D: int, a: Fraction, t: int) -> Fraction:
    """The batch through block after block; every sum made hop by hop on a ring, the bytes counted."""
    only_if(t <= MOST_RANKS)
    halves = [(block, part) for block in range(L) for part in ("attention", "feed-forward")]
    sent = {half: all_reduce(t, b * D * a).sent[0] for half in halves}
    return sum(sent.values(), Fraction(0))


TP_DECODE_BYTES = derivation(
    "tp-decode-bytes",
    title="Bytes a device sends in a decode step under tensor parallelism",
    phrases="all-reduce traffic of tensor-parallel inference per token; communication of one generated "
    "token with TP 8; two allreduces of batch times hidden per layer while decoding",
    unit=BYTE,
    letters=SUMMED,
    uses={"V_AR": RING_ALL_REDUCE.at(N="t", S="b*D*a")},
    source=SCALING_BOOK_SPREAD,
    oracle=sum_after_every_half_block,
    convention=f"{TWICE} Ring all-reduces.",
    leaves_out="Gathering the logits.",
    holds_for={WITH_ATTENTION: ""},
    chain="""
    V_sum = sum(V_AR + V_AR, (i, 1, L))       -- two sums a block
      = 4*L*(t - 1)/t*(b*D*a)                 -- each `2*(t - 1)/t` of the batch's activations
      <= 4*L*b*D*a                            -- `t - 1 < t`
    """,
)


def sum_by_the_clock(
    b: int, L: int, D: int, a: Fraction, t: int, alpha_1: Fraction, W_1: Fraction
) -> Fraction:
    """Block after block, every sum passed round the ring twice by the clock, one after the other."""
    only_if(t <= MOST_RANKS)
    once = timed_all_reduce(t, b * D * a, Link(alpha_1, W_1)).finish
    clock = Fraction(0)
    for place in range(2 * L):
        clock = max(clock, once * place) + once
    return clock


TP_DECODE_TIME = derivation(
    "tp-decode-time",
    title="Time of a decode step's transfers under tensor parallelism",
    phrases="all-reduce latency per generated token; TP communication overhead of inference; "
    "microseconds of NCCL per decode step; why TP16 decodes no faster than TP8; 2 allreduces per layer "
    "latency-bound",
    unit=SECOND,
    letters=LINKED,
    uses={"T_AR": RING_ALL_REDUCE_TIME.at(N="t", S="b*D*a", alpha="alpha_1", W_b="W_1")},
    source=SCALING_BOOK_SPREAD,
    oracle=sum_by_the_clock,
    convention=f"{TWICE} Ring all-reduces inside a node; nothing hides them, since the next product "
    "waits for the sum.",
    leaves_out="Trees, one-shot kernels and switches that add, which need fewer hops.",
    holds_for={WITH_ATTENTION: ""},
    chain="""
    T_sum = sum(T_AR + T_AR, (i, 1, L))       -- two sums a block, one after the other
      = 4*L*(t - 1)*(alpha_1 + b*D*a/(t*W_1))     -- `2*(t - 1)` hops each: a start and a `t`-th
      >= 4*L*(t - 1)*alpha_1                  -- even for a batch of one
    """,
)


def compare_starts_with_bytes(
    b: int, D: int, a: Fraction, t: int, alpha_1: Fraction, W_1: Fraction
) -> bool:
    """A sum by the clock as it is, and as if starts took no time; whether its bytes take longer."""
    only_if(t <= MOST_RANKS)
    whole = timed_all_reduce(t, b * D * a, Link(alpha_1, W_1)).finish
    transfer = timed_all_reduce(t, b * D * a, Link(0, W_1)).finish
    return transfer >= whole - transfer


TP_DECODE_LATENCY_BATCH = derivation(
    "tp-decode-latency-batch",
    title="Batch from which a decode step's sums are bound by bandwidth",
    phrases="decode batch below which TP all-reduce is latency-bound; small-message regime of "
    "tensor-parallel inference; when does NVLink bandwidth matter for decoding",
    unit=ONE,
    noun="sequences",
    letters={key: LINKED[key] for key in ("b", "D", "a", "t", "alpha_1", "W_1")},
    given=("t >= 2",),
    source=SCALING_BOOK_SPREAD,
    oracle=compare_starts_with_bytes,
    convention="Ring all-reduces. Below it a larger batch takes hardly longer, and more devices take "
    "longer in proportion.",
    leaves_out="What the sums add up to beside reading and computing.",
    holds_for={WITH_ATTENTION: ""},
    chain="""
    b*D*a/(t*W_1) >= alpha_1             -- bytes of a hop, and its start
      <=> b >= alpha_1*t*W_1/(D*a)       -- solve for the batch
    """,
)


def message_everybody(L: int, alpha_1: Fraction) -> Fraction:
    """Four devices that sum by sending to all others at once, twice a sum, wired to each other."""
    clock, links = Clock(), [(i, j) for i in range(4) for j in range(4) if i != j]
    for _sum in range(L + L):
        for _part in ("parts of the sum", "the sum's parts"):
            ready = clock.finish
            for source, target in links:
                wire = Link(alpha_1, 1, name=f"{source} to {target}")
                clock.send(wire, source, target, 0, ready)
    return clock.finish


ONE_SHOT_LATENCY = derivation(
    "one-shot-latency",
    title="Latency of a decode step's transfers where every device sends to all others at once",
    phrases="message latency per layer of tensor-parallel decoding; four messages a layer at 8 "
    "microseconds; latency floor of a generated token's communication; one-shot or two-shot all-reduce "
    "latency; communication latency of small-batch inference; why more layers decode slower at batch 1",
    unit=SECOND,
    letters={"L": BLOCKS, "alpha_1": LINK_LATENCY},
    source=KIPPLY,
    oracle=message_everybody,
    convention="Two sums a block, each of two messages, one after the other: its parts to the devices "
    "that add them up, and the parts of the sum to all. Each device is wired to every other, however "
    "many there are. A one-shot sum, in which everybody sends all it has, takes one message, and half.",
    leaves_out="The bytes, which are few while the batch is small.",
    holds_for={WITH_ATTENTION: ""},
    chain="""
    T_msg = sum(2*(alpha_1 + alpha_1), (i, 1, L))     -- two sums a block, there and back
      = 4*L*alpha_1                                   -- four messages a block
    """,
)


def hold_a_matrix_against_its_output(
    b: int, D: int, F: int, w: Fraction, a: Fraction, t: int, W_1: Fraction, W_m: Fraction
) -> bool:
    """A matrix dealt to devices, number by number, against the batch's output, listed as a tensor."""
    only_if(D * F <= 20_000)
    read = weight_bytes(deal_weights(D * F, t), w) / W_m
    return total_bytes([Tensor("output", (b, D), a)]) / W_1 <= read


LIMIT = {
    **{key: SUMMED[key] for key in ("b", "D", "a", "t")}, "F": D_FF, "w": SERVED_WIDTH,
    "W_1": LINK_ONE_WAY, "W_m": MEMORY_BANDWIDTH,
}  # fmt: skip

DECODE_TP_LIMIT = derivation(
    "decode-tp-limit",
    title="Tensor-parallel degree up to which decoding waits for weights, not for transfers",
    phrases="largest useful tensor parallelism when decoding; Y > F / (B beta); when does generation "
    "become ICI-bound; model parallelism limit at small batch; how many chips can share a decode step; "
    "tensor degree beyond which inference is communication-bound",
    unit=ONE,
    noun="devices",
    letters=LIMIT,
    source=SCALING_BOOK_SPREAD,
    oracle=hold_a_matrix_against_its_output,
    convention="For each matrix of the feed-forward: its share is read while its input or output, one "
    "token a sequence, moves whole, as on large rings. Both overlap.",
    leaves_out="Start-up latency, which bounds small batches before; caches.",
    holds_for={WITHOUT_EXPERTS: ""},
    chain="""
    a*b*D/W_1 <= w*D*F/(t*W_m)         -- moving the batch's vectors, and reading a device's part
      <=> t <= w*F*W_1/(a*b*W_m)       -- solve for the degree: the model's width cancels
    """,
)


def hold_a_matrix_against_a_ring(
    b: int, D: int, F: int, w: Fraction, a: Fraction, t: int, W_1: Fraction, W_m: Fraction
) -> bool:
    """A matrix dealt to devices, against its input gathered by the clock on their ring."""
    only_if(D * F <= 20_000 and t <= MOST_RANKS)
    read = weight_bytes(deal_weights(D * F, t), w) / W_m
    return timed_all_gather(t, b * D * a, Link(0, W_1)).finish <= read


DECODE_TP_LIMIT_RING = like(
    "decode-tp-limit-ring",
    DECODE_TP_LIMIT,
    title="Tensor-parallel degree up to which decoding waits for weights, on a ring",
    phrases="exact limit of tensor parallelism while decoding; ring all-gather against weight reads; TP "
    "degree at which NVLink bounds decoding; decode communication-bound degree with t - 1 hops; when "
    "does an all-gather take longer than weight loading; exact roofline of TP decoding",
    uses={"V_AG": RING_ALL_GATHER.at(N="t", S="a*b*D")},
    oracle=hold_a_matrix_against_a_ring,
    convention="For each matrix of the feed-forward: its share is read while its input is gathered, or "
    "its output summed and scattered, on a ring that keeps every device's own part at home.",
    chain="""
    V_AG/W_1 <= w*D*F/(t*W_m)          -- gathering on a ring, and reading a device's part of a matrix
      <=> (t - 1)/t*(a*b*D)/W_1 <= w*D*F/(t*W_m)     -- put the gather in
      <=> t <= 1 + w*F*W_1/(a*b*W_m)   -- solve for the degree: one more than where messages are whole
    """,
)


def gather_one_group(b: int, H: int, d_h: int, a: Fraction, t: int) -> Fraction:
    """Every sequence's heads sent where the sequence is kept, and results back; what a device sends."""
    only_if(b * H <= 2_000 and b % t == 0 and H % t == 0)
    moved = exchange_heads(b, H, t)
    return (moved.to_heads + moved.to_tokens) * d_h * a


SPLIT_CACHE_ALL_TO_ALL = derivation(
    "split-cache-all-to-all",
    title="Bytes a device sends in a block whose KV cache is split over the batch",
    phrases="two all-to-alls of batch-sharded attention; data-parallel attention with tensor-parallel "
    "weights traffic; shard the kv cache over sequences communication; multiquery attention sharded over "
    "batch; AllToAll from heads to batch in decoding; dp attention exchange bytes",
    unit=BYTE,
    letters={
        "b": BATCH, "H": HEADS, "d_h": HEAD_DIM, "a": ACTIVATION_WIDTH, "t": TP,
    },
    uses={"V_A2A": ALL_TO_ALL.at(N="t", S="a*b*H*d_h/t")},
    given=("t divides b", "t divides H"),
    source=SCALING_BOOK_SHARDED_CACHE,
    oracle=gather_one_group,
    convention="A decode step, one token a sequence. Queries, made by heads, go where their sequence's "
    "cache lies, and results go back to the heads' weights.",
    leaves_out="The new tokens' keys and values, which are fewer than queries.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    V_split = V_A2A + V_A2A                          -- queries there, results back
      = 2*(t - 1)/t*(a*b*H*d_h/t)                    -- `t - 1` of `t` parts of a device's heads
    """,
)  # fmt: skip


def keep_own_sequences(b: int, s: int, L: int, K: int, d_h: int, w_kv: Fraction, t: int) -> Fraction:
    """Sequences dealt out to devices and fed token by token, all heads; what a device keeps."""
    only_if(b % t == 0 and b * s * L * K * d_h <= 20_000)
    held = [list(range(device, b, t)) for device in range(t)]
    whole = [grouped(range(K), d_h)] * L
    return max(stored(decode(len(mine), s, whole), w_kv) for mine in held)


SPLIT_CACHE_BYTES = derivation(
    "split-cache-bytes",
    title="Bytes of the KV cache of a device that keeps whole sequences",
    phrases="kv cache per chip sharded over batch; data-parallel attention cache size; batch-sharded "
    "multiquery cache; how much does dp attention save in cache; split the cache by sequences, not "
    "heads; cache of a device when tensor parallelism exceeds kv heads",
    unit=BYTE,
    letters={**{key: CACHE[key] for key in CACHE if key != "H"}, "t": TP},
    uses={"M_kv": KV_CACHE_BYTES.at()},
    given=("t divides b",),
    source=SCALING_BOOK_SHARDED_CACHE,
    oracle=keep_own_sequences,
    convention="`t` devices share the sequences of a batch evenly, and each keeps all heads of its own. "
    "Heads that are dealt out instead are copied where there are fewer than devices: "
    "tp-kv-copies times as much.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    M_split = M_kv/t                          -- equal parts of the batch
      = 2*b*s*L*K*d_h*w_kv/t                  -- the caches of all sequences put in
    """,
)


def hand_a_cache_over(
    s: int, L: int, H: int, K: int, d_h: int, w_kv: Fraction, t: int, alpha_2: Fraction, W_2: Fraction
) -> Fraction:
    """A prompt in the caches of one group; each device sends what it holds to its partner, timed."""
    group, clock = serving_group(b=1, s=s, L=L, H=H, K=K, t=t), Clock()
    for rank, device in enumerate(group):
        clock.send(Link(alpha_2, W_2), rank, t + rank, cache_bytes([device], d_h, w_kv))
    return clock.finish


CACHE_TRANSFER_TIME = derivation(
    "cache-transfer-time",
    title="Time to hand a prompt's KV cache over from prefill to decode devices",
    phrases="KV transfer latency of disaggregated serving; P/D disaggregation network time; NIXL "
    "Mooncake cache migration seconds; send keys and values to another node",
    unit=SECOND,
    letters={
        **{key: CACHE[key] for key in ("s", "L", "H", "K", "d_h", "w_kv")},
        "t": TP, "alpha_2": NETWORK_LATENCY, "W_2": NETWORK_ONE_WAY,
    },
    uses={
        "T_p2p": POINT_TO_POINT_TIME.at(S="2*w_kv*L*max(K, t)*d_h*s/t", alpha="alpha_2", W_b="W_2"),
    },
    given=EVEN,
    source=DISTSERVE,
    oracle=hand_a_cache_over,
    convention="As many devices on both sides; each sends what it holds to its partner on another node, "
    "all at once, after the prefill.",
    leaves_out="Sending block by block while the prefill still runs, which hides most of it.",
    holds_for=CACHED,
    chain="""
    T_hand = T_p2p                            -- one message from each device to its partner
      = alpha_2 + 2*w_kv*L*max(K, t)*d_h*s/(t*W_2)     -- keys and values of the prompt, every block
    """,
)  # fmt: skip


def hand_over_at_every_arrival(
    s: int, L: int, H: int, K: int, d_h: int, w_kv: Fraction, R_q: Fraction
) -> Fraction:
    """Prompts that arrive one after the other, each filling a cache; bytes in all over the time."""
    bytes_sent, clock = Fraction(0), Fraction(0)
    for arrival in range(1, 4):
        group = serving_group(b=1, s=s, L=L, H=H, K=K, t=1)
        bytes_sent += cache_bytes(group, d_h, w_kv)
        clock = arrival / R_q
    return bytes_sent / clock


CACHE_TRANSFER_BANDWIDTH = derivation(
    "cache-transfer-bandwidth",
    title="Bandwidth that disaggregated serving needs to hand KV caches over",
    phrases="bytes per second between prefill and decode pools; network needed for P/D disaggregation; "
    "90 Gbps for OPT-66B at 10 requests per second; sustained KV cache traffic",
    unit=BYTE / SECOND,
    letters={
        **{key: CACHE[key] for key in ("s", "L", "H", "K", "d_h", "w_kv")},
        "R_q": ARRIVALS,
    },
    given=("K divides H",),
    source=DISTSERVE,
    oracle=hand_over_at_every_arrival,
    convention="Of all prefill devices together, each key and value sent once.",
    leaves_out="Copies of heads where decode devices outnumber them; arrivals in bursts.",
    holds_for=CACHED,
    chain="""
    W_hand = R_q*sum(2*w_kv*L*K*d_h, (i, 1, s))     -- every token of every request's prompt
      = 2*w_kv*L*K*d_h*s*R_q                        -- equal tokens
    """,
)


def work_for_a_batch(b: int, o: int, T_p: Fraction, T_s: Fraction, n_p: int, n_d: int) -> Fraction:
    """A batch's prompts read one after the other, then its answers; busy device time of either side."""
    prefill = decode = Fraction(0)
    for place in range(b):
        prefill = max(prefill, T_p * place) + T_p
    for step in range(o):
        decode = max(decode, T_s * step) + T_s
    return prefill * n_p / (decode * n_d)


PREFILL_DECODE_RATIO = derivation(
    "prefill-decode-ratio",
    title="Prefill devices for each decode device",
    phrases="xPyD ratio of disaggregated serving; how many prefill GPUs per decode GPU; balance prefill "
    "and decode pools; prefill:generate server ratio",
    unit=ONE,
    letters={
        "b": BATCH, "o": OUTPUT_TOKENS, "T_p": PREFILL_TIME, "T_s": SERVING_STEP,
        "n_p": PREFILL_DEVICES, "n_d": DECODE_DEVICES,
    },
    source=SCALING_BOOK_PREFILL,
    oracle=work_for_a_batch,
    convention="Neither kind waits for the other: both have as much device time as the requests need. "
    "`n_p` devices prefill a prompt in `T_p`; `n_d` devices make a token of each of `b` sequences in "
    "`T_s`.",
    leaves_out="The transfer between them; room for bursts.",
    chain="""
    r_pd = T_p*n_p/(sum(T_s*n_d, (i, 1, o))/b)     -- device time of a prompt, over that of its answer
      = b*T_p*n_p/(o*T_s*n_d)                      -- a step's device time is shared by the batch
    """,
)  # fmt: skip


def answer_in_turn(b: int, o: int, s: int) -> tuple[Fraction, Fraction]:
    """A batch whose answers began one after the other; what ends, and what it frees, in a step's mean."""
    only_if(b * o <= 20_000)
    ages = [sequence * o // b for sequence in range(b)]
    ended = freed = 0
    for _step in range(o):
        for sequence, age in enumerate(ages):
            ages[sequence] = age + 1
            if ages[sequence] == o:
                ended, freed = ended + 1, freed + len(range(s)) + len(range(o))
                ages[sequence] = 0
    return Fraction(ended, o), Fraction(freed, o)


def end_in_turn(b: int, o: int) -> Fraction:
    """A batch whose answers began one after the other; those that end in a step, in the mean."""
    return answer_in_turn(b, o, 1)[0]


FINISHED_SEQUENCES = derivation(
    "finished-sequences",
    title="Sequences that finish in a decode step",
    phrases="requests completed per step; batch over output length; how often is a slot of the batch "
    "free; B/G sequences end each step; rate at which prefills are needed; new sequences to admit in "
    "every step; turnover of a decode batch",
    unit=ONE,
    noun="sequences",
    fractional="in the mean over the steps",
    letters={"b": BATCH, "o": OUTPUT_TOKENS},
    source=SCALING_BOOK_PREFILL,
    oracle=end_in_turn,
    convention="A full batch whose sequences are at all places of their answers; whoever ends is "
    "replaced at once.",
    chain="""
    r_end = sum(1/o, (i, 1, b))      -- each sequence ends in one of `o` steps
      = b/o                          -- equal sequences
    """,
)


def free_in_turn(b: int, o: int, s: int) -> Fraction:
    """A batch whose answers began one after the other; tokens of caches freed in a step, in the mean."""
    return answer_in_turn(b, o, s)[1]


CACHE_TURNOVER = like(
    "cache-turnover",
    FINISHED_SEQUENCES,
    title="Tokens of the KV cache that finished sequences give back in a decode step",
    phrases="cache tokens evicted each step; kv cache freed per decode step; B (P + G) / G tokens; how "
    "fast do pages come free; tokens of cache that prefill must fill again; churn of the kv cache",
    noun="tokens",
    letters={"b": BATCH, "o": OUTPUT_TOKENS, "s": SEQUENCE_LENGTH},
    uses={"r_end": FINISHED_SEQUENCES.at()},
    oracle=free_in_turn,
    convention="Prompts of `s` tokens and answers of `o`; a full batch whose sequences are at all places "
    "of their answers. A server with no more room must take in as many.",
    chain="""
    r_free = r_end*(s + o)           -- a sequence that ends has its prompt and its answer in the cache
      = b*(s + o)/o                  -- put the sequences in
    """,
)
