"""Prefill.

A prompt's tokens go through the model together, as in training: weights that are read once meet all of
them, and above a few hundred tokens, some thousands in a mixture, the products take longer than the
reading. Only the last token's
logits are needed. A prompt may also go in chunks, one a step, so that sequences which are being decoded
need not wait for the whole of it; then every chunk reads the weights again, and the keys and values of
all chunks before it, while the products stay as many. How long a user waits for the first token is the
steps of the chunks before and of one's own.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.compute._model import MODEL
from workings.derivations.compute.attention import (
    ATTENTION_CORE_FLOPS_CAUSAL,
    ATTENTION_PROJECTION_FLOPS,
)
from workings.derivations.compute.dense import LOGITS_FLOPS
from workings.derivations.compute.feed_forward import FFN_FLOPS
from workings.derivations.serving._step import (
    CACHE,
    MOST_SCORES,
    MOST_VECTORS,
    PEAK,
    READ,
    weight_bytes,
)
from workings.derivations.serving._time_sources import SARATHI, SCALING_BOOK_PREFILL, SCALING_BOOK_PREFIX
from workings.derivations.tensor_parallel.shares import EVEN, TP_KV_HEADS
from workings.simulate.products import Operand, Tape, write_attention, write_ffn, write_model
from workings.simulate.serving import Device, deal_weights, fill_caches
from workings.units import BYTE, FLOP, ONE, SECOND
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.layout import TP
from workings.vocabulary.serving import PREFIX_TOKENS
from workings.vocabulary.serving_time import PROMPT_CHUNK, QUEUED_CHUNKS, SERVING_STEP
from workings.vocabulary.training import SEQUENCE_LENGTH

AT_PEAK = (
    "Compute-bound, every device of a tensor-parallel group at its peak: the least it can take. Divide "
    "by the share of the peak that a server reaches."
)
READING = (
    "Reading weights, which takes longer for prompts of fewer than a few hundred tokens, of a mixture, "
    "whose tokens meet few of the weights that are read, than some thousands; transfers between devices."
)
IN_CHUNKS = "s_c divides s -- the last chunk is shorter, and fewer keys and values are read again"


def write_a_prompt_down(
    b: int, s: int, L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int, V: int
) -> int:
    """Every product of a causal pass written down, row by row of scores, and one row of logits."""
    only_if(L * b * H * s <= MOST_SCORES)

    def block(tape: Tape) -> None:
        write_attention(tape, s, D, (H, K, d_h), causal=True)
        write_ffn(tape, s, D, F, n_f)

    return write_model(L, b, block, (1, D, V)).forward()


PREFILL_FLOPS = derivation(
    "prefill-flops",
    title="FLOPs of a prompt's prefill",
    phrases="compute to process an input prompt; prompt-processing FLOPs with causal attention; forward "
    "FLOPs of 8k input tokens before generating; cost of a long prompt; context ingestion compute",
    unit=FLOP,
    letters=MODEL,
    uses={
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(),
        "f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at(),
        "f_ffn": FFN_FLOPS.at(B="b*s"),
        "f_logit": LOGITS_FLOPS.at(B="b"),
    },
    source=SCALING_BOOK_PREFILL,
    oracle=write_a_prompt_down,
    convention="`b` prompts of `s` tokens each; pairs of tokens that the mask hides are not computed; "
    "logits of the last token alone, from which the first output token is chosen.",
    leaves_out="Everything that is no matrix product; a mixture's router.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-moe-prefill-flops"},
    chain="""
    f_pre = L*(f_proj + f_causal + f_ffn) + f_logit     -- all tokens through every block, one scored
      = 2[FLOP]*b*(L*s*(2*D*d_h*(H + K) + n_f*D*F + (s + 1)*H*d_h) + D*V)     -- put them in
    """,
)


def skip_what_is_cached(s: int, s_p: int) -> Fraction:
    """Tokens of a prompt met by one weight each, those of the prefix skipped; over all tokens."""
    tokens = range(s)
    return Fraction(len([token for token in tokens if token >= s_p]), len(tokens))


PREFIX_PREFILL_SHARE = derivation(
    "prefix-prefill-share",
    title="Share of a prompt's prefill that is left when its beginning is cached",
    phrases="prefix caching saving in prefill; fraction of a prompt still to compute after a cache hit; "
    "prompt caching cost share; shared system prompt prefill work; reuse of a cached prefix; two of "
    "three tokens are cached",
    unit=ONE,
    letters={"s": SEQUENCE_LENGTH, "s_p": PREFIX_TOKENS},
    given=("s_p < s -- the last token is computed in any case, for its logits",),
    source=SCALING_BOOK_PREFIX,
    oracle=skip_what_is_cached,
    convention="Of the products with weights. Those of attention are saved less: every new token still "
    "meets the keys of the prefix (prefix-prefill-flops).",
    leaves_out="Loading the prefix's keys and values; tokens of a page that is not full.",
    chain="""
    x_new = (s - s_p)/s      -- tokens that are not cached, over all
      = 1 - s_p/s            -- divide
    """,
)


def leave_the_prefix_out(s: int, s_p: int, D: int, V: int, b: int, **sizes: int) -> int:
    """The prompt's products written down, less those of its prefix by itself, which scores no token."""
    whole = write_a_prompt_down(s=s, D=D, V=V, b=b, **sizes)
    if not s_p:
        return whole
    logits = Tape()
    for _ in range(b):
        logits.multiply("logits", Operand(1, D), Operand(D, V))
    return whole - write_a_prompt_down(s=s_p, D=D, V=V, b=b, **sizes) + logits.forward()


PREFIX_PREFILL_FLOPS = like(
    "prefix-prefill-flops",
    PREFILL_FLOPS,
    title="FLOPs of a prompt's prefill when its beginning is cached",
    phrases="prefill compute after a prefix cache hit; FLOPs of the new tokens of a chat turn; "
    "attention of new tokens over a cached prefix; cost of extending a long context; incremental "
    "prefill FLOPs; compute left with automatic prefix caching",
    letters={**MODEL, "s_p": PREFIX_TOKENS},
    uses={},
    given=("s_p < s -- the last token is computed in any case, for its logits",),
    source=SCALING_BOOK_PREFIX,
    oracle=leave_the_prefix_out,
    convention="`b` prompts of `s` tokens of which the first `s_p` are cached; pairs of tokens that the "
    "mask hides are not computed; logits of the last token alone.",
    chain="""
    f_new = b*(sum(2[FLOP]*L*(2*D*d_h*(H + K) + n_f*D*F + 2*(s_p + i)*H*d_h), (i, 1, s - s_p))
        + 2[FLOP]*D*V)
                     -- each new token through the weights, and over all keys up to its own
      = 2[FLOP]*b*(L*(s - s_p)*(2*D*d_h*(H + K) + n_f*D*F + (s + s_p + 1)*H*d_h) + D*V)
                     -- add the whole numbers from `s_p + 1` to `s`
    """,
)


def share_the_prompt(t: int, C: Fraction, **sizes: int) -> Fraction:
    """The prompt's products written down, an equal part of them for each device, at its peak."""
    return Fraction(write_a_prompt_down(**sizes), t) / C


PREFILL_TIME = derivation(
    "prefill-time",
    title="Time of a prompt's prefill",
    phrases="prompt processing time; TTFT without queueing at peak; how long until an 8k prompt is read "
    "in; seconds to ingest the context; prefill latency of Llama 70B on H100",
    unit=SECOND,
    letters={**MODEL, "t": TP, "C": PEAK["C"]},
    uses={"f_pre": PREFILL_FLOPS.at()},
    given=EVEN,
    source=SCALING_BOOK_PREFILL,
    oracle=share_the_prompt,
    convention=AT_PEAK,
    leaves_out=READING,
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-moe-prefill-time"},
    chain="""
    T_pre = f_pre/(t*C)     -- the prompt's products over the FLOP/s of the group
      = 2[FLOP]*b*(L*s*(2*D*d_h*(H + K) + n_f*D*F + (s + 1)*H*d_h) + D*V)/(t*C)     -- put them in
    """,
)


def prefill_by_chunks(
    s: int, s_c: int, b: int, L: int, H: int, K: int, t: int, P: int = 1
) -> tuple[list[Device], list[list[int]]]:
    """Prompts read in chunk by chunk; vectors that each device reads before it adds a chunk's own."""
    only_if(b * s * (s // s_c) * L * max(K, t) <= MOST_VECTORS and P <= MOST_VECTORS)
    group, read = deal_weights(P, t), []
    for _ in range(0, s, s_c):
        read.append([device.vectors() for device in group])
        fill_caches(group, b, s_c, L, (H, K))
    return group, read


def read_earlier_chunks(d_h: int, w_kv: Fraction, **sizes: int) -> Fraction:
    """Prompts read in chunk by chunk; what lies in the caches before each is read again."""
    _, read = prefill_by_chunks(**sizes)
    return sum((Fraction(sum(chunk), len(chunk)) * d_h * w_kv for chunk in read), Fraction(0))


CHUNKED_PREFILL_REREAD = derivation(
    "chunked-prefill-reread",
    title="Bytes of earlier chunks' keys and values that chunked prefill reads",
    phrases="KV cache re-reads of chunked prefill; overhead of splitting a prompt; repeated KV access "
    "N-1 times for the first chunk; Sarathi chunk size overhead; cost of small max_num_batched_tokens",
    unit=BYTE,
    letters={**CACHE, "t": TP, "s_c": PROMPT_CHUNK},
    uses={"K_t": TP_KV_HEADS.at()},
    given=(*EVEN, IN_CHUNKS),
    source=SARATHI.at("section 4.3"),
    oracle=read_earlier_chunks,
    convention="By one device. Every chunk reads what lies in the cache before it once.",
    leaves_out="A chunk's own keys and values, which are at hand; tokens that are decoded in the same "
    "steps.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    V_again = sum(2*w_kv*L*K_t*d_h*b*(i*s_c), (i, 1, s/s_c - 1))
                                       -- chunk `i + 1` reads the keys and values of `i` before it
      = w_kv*L*K_t*d_h*b*s*(s/s_c - 1)      -- the whole numbers below `s/s_c` added up
    """,
)


def read_weights_for_every_chunk(w: Fraction, d_h: int, w_kv: Fraction, **sizes: int) -> Fraction:
    """Prompts read in chunk by chunk; weights and what lies in the caches before each are read."""
    group, read = prefill_by_chunks(**sizes)
    earlier = (Fraction(sum(chunk), len(chunk)) * d_h * w_kv for chunk in read)
    return sum((weight_bytes(group, w) + again for again in earlier), Fraction(0))


CHUNKED_PREFILL_BYTES = derivation(
    "chunked-prefill-bytes",
    title="Bytes a device reads in a chunked prefill",
    phrases="memory traffic of prompt processing in chunks; weights loaded once per chunk; HBM reads of "
    "a long prompt with max_num_batched_tokens",
    unit=BYTE,
    letters={**READ, "s_c": PROMPT_CHUNK},
    uses={"K_t": TP_KV_HEADS.at(), "V_again": CHUNKED_PREFILL_REREAD.at()},
    given=(*EVEN, IN_CHUNKS),
    source=SARATHI.at("section 4.3"),
    oracle=read_weights_for_every_chunk,
    convention="`s_c = s` is a prompt in one piece, which reads the weights once.",
    leaves_out="Activations; a chunk's own keys and values.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "", WITHOUT_LATENT: ""},
    chain="""
    V_pre = sum(w*P/t, (i, 1, s/s_c)) + V_again     -- weights for every chunk, and chunks before it
      = s/s_c*(w*P/t) + w_kv*L*K_t*d_h*b*s*(s/s_c - 1)      -- equal chunks
    """,
)


def step_until_the_first_token(s: int, s_c: int, q_c: int, T_s: Fraction) -> Fraction:
    """A queue served step by step: earlier prompts' chunks, then one's own, token by token."""
    waiting, clock = [s_c] * q_c + [s], Fraction(0)
    while waiting:
        clock += T_s
        waiting[0] -= min(s_c, waiting[0])
        if not waiting[0]:
            waiting.pop(0)
    return clock


CHUNKED_FIRST_TOKEN_TIME = derivation(
    "chunked-first-token-time",
    title="Time to first token with chunked prefill",
    phrases="TTFT; time to first token behind a queue of prompts; how long does a user wait for the "
    "first word; TTFT with max_num_batched_tokens 2048; waiting behind other prefills; time to first "
    "token of a 32k prompt",
    unit=SECOND,
    letters={"s": SEQUENCE_LENGTH, "s_c": PROMPT_CHUNK, "q_c": QUEUED_CHUNKS, "T_s": SERVING_STEP},
    source=SARATHI.at("section 4.2, algorithm 3"),
    oracle=step_until_the_first_token,
    convention="Prompts are served in the order in which they came, one chunk a step; the step after "
    "which the prompt is whole gives the first token. All steps take as long.",
    leaves_out="What is left of a step before the first; the network to the user.",
    chain="""
    T_first = q_c*T_s + ceil(s/s_c)*T_s
                                       -- chunks that came before, then the prompt's own
      = (q_c + ceil(s/s_c))*T_s        -- collect
    """,
)
