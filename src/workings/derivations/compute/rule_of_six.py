"""Rules of thumb a token.

Each weight meets each token three times, forward, for the input's gradient and for its own, at 2 FLOPs a
time: 6 FLOPs a parameter and token. The rule needs no shape, which is why plans and scaling laws use it.
Its two parts, 2 forward and 4 backward, stand by themselves, with the time that the forward takes.
It leaves attention's core out and counts an input table that multiplies nothing, and the entry on its
error says what remains of both. Kaplan's and PaLM's formulas are the rule with the core put back, forward
alone and for a whole step.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, like
from workings.derivations.compute._model import MODEL, model_tape
from workings.derivations.compute._sources import GPT3, KAPLAN_COMPUTE
from workings.derivations.compute.attention import ATTENTION_CORE_FLOPS, ATTENTION_CORE_FLOPS_CAUSAL
from workings.derivations.compute.dense import MODEL_TRAINING_FLOPS
from workings.derivations.sources import scaling_book
from workings.simulate.counted_attention import attend_batch
from workings.simulate.products import Tape, write_attention
from workings.simulate.steps import touch_weights, train
from workings.units import FLOP, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.model import (
    ACTIVE_PARAMETERS,
    BLOCKS,
    EMBEDDINGS,
    HEAD_DIM,
    HEADS,
    OUTSIDE_TABLES,
)
from workings.vocabulary.scale import MFU
from workings.vocabulary.training import SEQUENCE_LENGTH, TOKENS, TRAINING_TOKENS


def touch_every_weight(P: int, T_tok: int) -> int:
    """Every weight met by every token in three passes, a multiply and an add each time."""
    return touch_weights(P, T_tok)


TRAINING_FLOPS_SIX_N = derivation(
    "training-flops-six-n",
    title="Training FLOPs by the rule 6 × parameters × tokens",
    phrases="training FLOPs per token times tokens; 6ND of a compute-optimal model; "
    "C = 6ND; 6 times N times D; training compute estimate; total pretraining FLOPs rule of "
    "thumb; how many FLOPs did GPT-3 take; 2 forward plus 4 backward per weight; total compute to "
    "pretrain 70B on 15T tokens; Chinchilla compute budget estimate; back of the envelope training "
    "compute",
    unit=FLOP,
    letters={"P": ACTIVE_PARAMETERS, "T_tok": TRAINING_TOKENS},
    source=GPT3,
    oracle=touch_every_weight,
    convention="Only weights that multiply should count in `P`: the output table, not the input "
    "embedding (which a scenario's own count includes), and of a mixture of experts those that a "
    "token meets.",
    leaves_out="Attention's scores and weighted values; see training-flops-over-six-n.",
    chain="""
    f_6 = sum(P*2[FLOP] + P*2[FLOP] + P*2[FLOP], (i, 1, T_tok))
                          -- each token meets each weight forward, for its input's gradient, for its own
      = T_tok*(6[FLOP]*P)                    -- equal tokens
      = 6[FLOP]*P*T_tok                      -- 2 FLOPs forward, 4 backward
    """,
)


SCALING_BOOK_PREFILL = scaling_book("applied-inference", "part 8, “What about prefill?”")
ELEUTHER = Source(
    "Anthony, Biderman and Schoelkopf",
    "Transformer Math 101",
    2023,
    "“Compute Requirements”",
    "https://blog.eleuther.ai/transformer-math/",
)


def touch_every_weight_once(P: int, B: int) -> int:
    """Every weight met by every token once, a multiply and an add each time."""
    return touch_weights(P, B, passes=1)


FORWARD_FLOPS_TWO_N = derivation(
    "forward-flops-two-n",
    title="Forward FLOPs by the rule 2 × parameters × tokens",
    phrases="C_forward = 2PD; 2 FLOPs per parameter and token; two times parameters forward pass; 2N "
    "FLOPs per token; inference FLOPs are twice the parameters; prefill FLOPs of a prompt rule of thumb; "
    "forward pass of a mixture from activated parameters; 2 * num_tokens * num_params",
    unit=FLOP,
    letters={"P": ACTIVE_PARAMETERS, "B": TOKENS},
    source=ELEUTHER,
    oracle=touch_every_weight_once,
    convention="A multiply-add is 2 FLOPs. Of a mixture of experts `P` are the parameters that a token "
    "meets; embedding tables that are only looked up do not multiply.",
    leaves_out="Attention's core, which grows with the length of a sequence.",
    chain="""
    f_2 = sum(2[FLOP]*P, (i, 1, B))     -- each token meets each weight: a multiply and an add
      = 2[FLOP]*P*B                     -- equal tokens
    """,
)


def touch_every_weight_on_the_way_back(P: int, B: int) -> int:
    """Every weight met in three passes, without those of the first."""
    return touch_weights(P, B) - touch_weights(P, B, passes=1)


BACKWARD_FLOPS_FOUR_N = like(
    "backward-flops-four-n",
    FORWARD_FLOPS_TWO_N,
    title="Backward FLOPs by the rule 4 × parameters × tokens",
    phrases="C_backward = 4PD; backward is twice the forward; 4 FLOPs per parameter and token; backward "
    "pass compute rule of thumb; gradient of inputs and of weights 2N each; 4 * num_tokens * num_params",
    oracle=touch_every_weight_on_the_way_back,
    convention="Gradients of inputs and of weights, one product each; nothing is recomputed.",
    chain="""
    f_4 = sum(2[FLOP]*P + 2[FLOP]*P, (i, 1, B))     -- each token: input's gradient, weight's gradient
      = sum(4[FLOP]*P, (i, 1, B))                   -- two products of one size
      = 4[FLOP]*P*B                                 -- equal tokens
    """,
)


def pass_token_after_token(P: int, B: int, n: int, C: Fraction, u: Fraction) -> Fraction:
    """Tokens sent through the weights one after the other, each cut for the devices; the clock."""
    return train(B, touch_weights(P, 1, passes=1), n, u * C).seconds


FORWARD_TIME_TWO_N = derivation(
    "forward-time-two-n",
    title="Time of a forward pass by the rule 2 × parameters × tokens",
    phrases="2PB over chips times peak times MFU; compute time of inference from parameters; prefill "
    "time estimate at 40 percent MFU; compute-bound step time from 2P; how long does a forward pass of "
    "70B on 8192 tokens take; matmul time at peak on all chips",
    unit=SECOND,
    letters={"P": ACTIVE_PARAMETERS, "B": TOKENS, "n": DEVICES, "C": COMPUTE, "u": MFU},
    uses={"f_2": FORWARD_FLOPS_TWO_N.at()},
    source=SCALING_BOOK_PREFILL,
    oracle=pass_token_after_token,
    convention="`u = 1` gives the least time, of the peak. All devices share the work evenly.",
    leaves_out="Attention's core; reading weights and caches, which takes longer where tokens are few; "
    "transfers between devices.",
    chain="""
    T_2 = f_2/(n*(u*C))               -- all FLOPs, over useful FLOP/s of all devices
      = 2[FLOP]*P*B/(n*C*u)           -- 2 a parameter and token
    """,
)


PALM = Source(
    "Chowdhery et al.",
    "PaLM: Scaling Language Modeling with Pathways",
    2022,
    "appendix B",
    "https://arxiv.org/abs/2204.02311",
)


def count_flops_and_weights(
    b: int, s: int, L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int, V: int, n_emb: int
) -> Fraction:
    """FLOPs counted on the tape, over 6 for every weight of every matrix and every token."""
    tape = model_tape(b=b, s=s, L=L, D=D, H=H, K=K, d_h=d_h, F=F, n_f=n_f, V=V)
    block = [(D, H * d_h), (D, K * d_h), (D, K * d_h), (H * d_h, D), (F, D)] + [(D, F)] * (n_f - 1)
    weights = sum(rows * columns for rows, columns in block * L + [(V, D)] * n_emb)
    return Fraction(tape.forward() + tape.backward(), 6 * weights * b * s)


TRAINING_FLOPS_OVER_SIX_N = derivation(
    "training-flops-over-six-n",
    title="Training FLOPs over 6 × parameters × tokens",
    phrases="error of 6ND; how far 6ND is off; true FLOPs relative to 6ND; 6ND ignores attention by how "
    "much; real training flops versus six N D; 6ND underestimates long context; how good is the 6ND "
    "rule; how accurate is 6ND",
    unit=ONE,
    letters={**MODEL, "n_emb": EMBEDDINGS},
    uses={"f_train": MODEL_TRAINING_FLOPS.at()},
    source=PALM,
    oracle=count_flops_and_weights,
    convention="Parameters are all matrices: those of the blocks and `n_emb` embedding tables, of "
    "which only the output's multiplies. Full attention.",
    leaves_out="Norms and biases among the parameters; a mixture's router.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    r_6 = f_train/(6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F) + n_emb*V*D))
                                   -- counted, over the rule for every weight there is
      = (L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + V*D)/(L*(2*D*d_h*(H + K) + n_f*D*F) + n_emb*V*D)
                                   -- the core adds above, a second table below
    """,
)


def run_one_token(P: int, L: int, H: int, d_h: int, s: int) -> Fraction | None:
    """Every weight met by a token once, and its part of a causal sequence's scores and values."""
    if s * s * H * d_h > 20_000:
        return None
    core = attend_batch(1, s, H, d_h, causal=True)
    return touch_weights(P, 1, passes=1) + L * Fraction(core, s)


KAPLAN_FLOPS_PER_TOKEN = derivation(
    "kaplan-flops-per-token",
    title="Forward FLOPs of a token (Kaplan's formula)",
    phrases="C_forward = 2N + 2 n_layer n_ctx d; scaling-laws paper forward cost; 2N per token "
    "inference FLOPs; how many operations to generate one token; forward compute to process one token; "
    "2N plus attention term per token; forward cost of a token is twice the weights; OpenAI scaling "
    "laws per-token cost",
    unit=FLOP,
    letters={"P": OUTSIDE_TABLES, "L": BLOCKS, "H": HEADS, "d_h": HEAD_DIM, "s": SEQUENCE_LENGTH},
    uses={"f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at(b="1")},
    source=KAPLAN_COMPUTE,
    oracle=run_one_token,
    convention="`P` without embeddings. The paper's context term is causal pairs for scores and "
    "values, or all pairs for the scores alone: both give the same.",
    chain="""
    f_fwd_tok = 2[FLOP]*P + L*f_causal/s     -- 2 a weight; a token's part of the causal core
      = 2[FLOP]*P + 2[FLOP]*L*(s + 1)*H*d_h  -- on average it sees `(s + 1)/2` keys
      > 2[FLOP]*P + 2[FLOP]*L*s*H*d_h        -- the published form, which drops the query's own key
    """,
)


def train_one_token(P: int, L: int, H: int, d_h: int, s: int) -> Fraction:
    """Every weight met by one token in three passes, and its part of all scores and values."""
    tape = Tape()
    for _ in range(L):
        write_attention(tape, s, 1, (H, H, d_h))
    core = Tape()
    core.products = [product for product in tape.products if product.part == "core"]
    return touch_weights(P, 1) + Fraction(core.forward() + core.backward(), s)


PALM_FLOPS_PER_TOKEN = derivation(
    "palm-flops-per-token",
    title="Model FLOPs of a token, trained (PaLM's formula)",
    phrases="6N + 12LHQT; PaLM MFU numerator; model FLOPs per trained token; nanoGPT flops per token; "
    "12 l h q t term; training operations for one token with attention; PaLM appendix B MFU formula; "
    "torchtitan num_flops_per_token",
    unit=FLOP,
    letters={"P": ACTIVE_PARAMETERS, "L": BLOCKS, "H": HEADS, "d_h": HEAD_DIM, "s": SEQUENCE_LENGTH},
    uses={"f_core": ATTENTION_CORE_FLOPS.at(b="1")},
    source=PALM,
    oracle=train_one_token,
    convention="PaLM counts every parameter, its tied embedding included, and full attention; "
    "recomputation is not counted. MFU is measured in these FLOPs.",
    chain="""
    f_tok = 6[FLOP]*P + 3*L*f_core/s         -- 6 a weight; a part of the core, forward and back
      = 6[FLOP]*P + 3*L*(4[FLOP]*s^2*H*d_h)/s     -- one sequence's core
      = 6[FLOP]*P + 12[FLOP]*L*H*d_h*s       -- cancel `s`
    """,
)
