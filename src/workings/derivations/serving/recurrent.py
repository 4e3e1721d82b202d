"""States in place of caches.

A block with linear attention, and a state-space block, keep one state for all that came before in place
of a key and a value of every token. It is as large after the first token as after the last, so a server's
room for sequences no longer depends on their length. It takes as much as a cache of so many tokens, which
the second entry counts. Mamba-2 keeps the last inputs of its short convolution beside it.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, only_if
from workings.derivations.compute.linear_attention import LINEAR_ATTENTION
from workings.derivations.parameters.state_space import MAMBA_2
from workings.derivations.serving.kv_cache import KV_CACHE_BYTES
from workings.simulate.kv_cache import Block, decode, grouped, stored
from workings.simulate.matmul import ffn_numbers
from workings.simulate.state_space import Head, by_tokens, make_group
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.model import HEAD_DIM, KV_HEADS
from workings.vocabulary.serving import CACHE_WIDTH
from workings.vocabulary.state_space import FEATURE_DIM, RECURRENT_BLOCKS, RECURRENT_WIDTH
from workings.vocabulary.training import ACTIVATION_WIDTH, BATCH, SEQUENCE_LENGTH

MOST = 20_000
KEPT = {"b": BATCH, "L_r": RECURRENT_BLOCKS}
STATE = {"K": KV_HEADS, "d_phi": FEATURE_DIM, "d_h": HEAD_DIM, "w_r": RECURRENT_WIDTH}


def numbers_after(head: Head) -> int:
    """The numbers of a head's state when its last token has been fed, counted one by one."""
    return sum(1 for row in by_tokens(head).state for _ in row)


def feed_linear_attention(tokens: int, d_phi: int, d_h: int) -> int:
    """A head fed so many tokens; the numbers of its state."""
    keys = ffn_numbers(tokens, d_phi, 1)
    return numbers_after(Head(keys, keys, ffn_numbers(tokens, d_h, 2)))


def keep_every_state(b: int, L_r: int, K: int, d_phi: int, d_h: int, w_r: Fraction) -> Fraction:
    """Every head fed a sequence of a length of its own; the numbers of all states, counted."""
    only_if(d_phi * d_h <= 2_000 and b * L_r * K <= 200)
    kept = Fraction(0)
    for number in range(b * L_r * K):
        kept += w_r * feed_linear_attention(1 + number % 3, d_phi, d_h)
    return kept


LINEAR_STATE_BYTES = derivation(
    "linear-attention-state-bytes",
    title="Bytes of the states of linear attention of a batch of sequences",
    phrases="linear attention state size; recurrent state memory in place of a KV cache; RetNet or "
    "GLA state bytes; constant memory per sequence; key times value state of each head; does linear "
    "attention need a kv cache; memory of a fast-weights state; hybrid model's linear attention "
    "layers cache",
    unit=BYTE,
    letters={**KEPT, **STATE},
    source=LINEAR_ATTENTION,
    oracle=keep_every_state,
    convention="A state, `d_phi` by `d_h`, for each key and value head; the context does not matter. "
    "`L_r = b = 1` is one layer's of one sequence. States are often kept in 4 bytes a number.",
    leaves_out="The sum of keys that some models divide by, `d_phi` numbers a head.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    M_lin = sum(sum(sum(d_phi*d_h*w_r, (i, 1, K)), (j, 1, L_r)), (k, 1, b))
                                             -- a matrix a head, in each such block, of each sequence
      = b*L_r*K*d_phi*d_h*w_r                -- equal heads, however long the sequences
    """,
)


def compare_with_a_cache(s: int, d_phi: int, w_r: Fraction, w_kv: Fraction) -> bool:
    """A head fed all tokens, and a block that keeps a key and a value of each; whether that is more."""
    only_if(s * d_phi <= MOST)
    cached = stored(decode(1, s, [grouped(range(1), 1)]), w_kv)
    return cached > w_r * feed_linear_attention(s, d_phi, 1)


LINEAR_STATE_CONTEXT = derivation(
    "linear-attention-state-context",
    title="Context from which a KV cache takes more bytes than the state of linear attention",
    phrases="when does a recurrent state save memory over a KV cache; break-even context of "
    "constant-size state; tokens of KV cache that a linear attention state is worth; how long until "
    "linear attention uses less memory than attention; state equals half the head dim in tokens",
    unit=ONE,
    noun="tokens",
    letters={
        "s": SEQUENCE_LENGTH, "d_phi": FEATURE_DIM, "w_r": RECURRENT_WIDTH, "w_kv": CACHE_WIDTH
    },
    uses={
        "M_kv": KV_CACHE_BYTES.at(b="1", L="1", K="1", d_h="1"),
        "M_lin": LINEAR_STATE_BYTES.at(b="1", L_r="1", K="1", d_h="1"),
    },
    source=LINEAR_ATTENTION,
    oracle=compare_with_a_cache,
    convention="The same blocks and heads, which cancel. In equal widths a state is worth a cache of "
    "half as many tokens as a key's features are wide.",
    leaves_out="Room of a cache that is given out and not filled.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    M_kv > M_lin                             -- keys and values of all tokens against one matrix
      <=> 2*s*w_kv > d_phi*w_r               -- for each channel of a value
      <=> s > d_phi*w_r/(2*w_kv)             -- divide by `2*w_kv`
    """,
)  # fmt: skip


def keep_states_and_last_inputs(
    b: int, L_r: int, H: int, d_h: int, N: int, G: int, k_c: int, w_r: Fraction, a: Fraction
) -> Fraction:
    """Every head fed tokens and every input of the convolution put into its window; numbers counted."""
    only_if(N * d_h <= 2_000 and b * L_r * (H + G) <= 200)
    only_if(b * L_r * (k_c + 2) * (H * d_h + 2 * G * N) <= MOST)
    heads = range(b * L_r * H)
    states = sum(numbers_after(make_group(1 + number % 3, N, d_h, 1)[0]) for number in heads)
    inputs = {f"input {head}": d_h for head in range(H)}
    shared = {f"{part} {group}": N for group in range(G) for part in "BC"}
    window = Block({**inputs, **shared}, window=k_c - 1)
    return w_r * states + stored(decode(b, k_c + 2, [window] * L_r), a)


MAMBA_2_STATE_BYTES = derivation(
    "mamba2-state-bytes",
    title="Bytes that Mamba-2 blocks keep of a batch of sequences",
    phrases="Mamba state size; SSM state cache memory; conv state and ssm state bytes; Mamba-2 "
    "inference cache per sequence; how much memory does a Mamba layer keep instead of a KV cache; "
    "mamba cache of a hybrid model; Nemotron-H or Bamba state per request; constant-size inference "
    "state of a state space model",
    unit=BYTE,
    letters={**KEPT, **{n: MAMBA_2[n] for n in MAMBA_2 if n != "D"}, "w_r": RECURRENT_WIDTH,
             "a": ACTIVATION_WIDTH},
    source=Source(
        "vLLM project",
        "vLLM",
        None,
        "vllm/model_executor/layers/mamba/mamba_utils.py, MambaStateShapeCalculator.mamba2_state_shape",
        "https://github.com/vllm-project/vllm/blob/main/vllm/model_executor/layers/mamba/mamba_utils.py",
    ),
    oracle=keep_states_and_last_inputs,
    convention="The context does not matter. `L_r = b = 1` is one layer's of one sequence. The state "
    "is often kept in 4 bytes a number, beside inputs in 2. The code of Mamba-2 itself has room for "
    "`k_c` inputs.",
    leaves_out="Copies of states for prefix caching and for drafted tokens; B and C that tensor "
    "parallelism keeps more than once.",
    chain="""
    M_m2 = sum(sum(sum(N*d_h*w_r, (i, 1, H)) + sum((k_c - 1)*d_h*a, (i, 1, H))
           + 2*sum((k_c - 1)*N*a, (i, 1, G)), (j, 1, L_r)), (k, 1, b))
                     -- a block: a state a head; what the convolution still needs of inputs, B and C
      = b*L_r*(H*d_h*N*w_r + (k_c - 1)*(H*d_h + 2*G*N)*a)      -- equal heads, groups, blocks
    """,
)  # fmt: skip
