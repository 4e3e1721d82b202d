"""Steps that compute blocks again.

Keeping fewer activations means running parts of the forward pass again, and the hardware's FLOPs exceed
the model's. Recomputing every block adds a forward pass of the blocks, a third at most; recomputing
attention's core alone adds little while the sequence is short beside the width. Each is given for any
shape and for GPT's, where the published forms are compared, and as a ratio over the model's FLOPs. A
policy between the two runs some products again and not others: PaLM three quarters and all of attention.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivations.compute._model import (
    GPT,
    GPT_SHAPE,
    MODEL,
    NO_ROUTER,
    ONLY_PRODUCTS,
    model_tape,
    training_step,
)
from workings.derivations.compute._sources import MEGATRON_FLOPS, RECOMPUTATION, scaling_book
from workings.derivations.compute.attention import ATTENTION_CORE_FLOPS
from workings.derivations.compute.dense import (
    BLOCK_FORWARD_FLOPS,
    LOGITS_FLOPS,
    MODEL_FORWARD_FLOPS,
    MODEL_TRAINING_FLOPS,
    follow_the_tape_back,
)
from workings.derivations.compute.rule_of_six import PALM_FLOPS_PER_TOKEN
from workings.simulate.products import Tape, write_attention
from workings.simulate.steps import touch_weights
from workings.units import FLOP, ONE
from workings.vocabulary.compute import REDONE_SHARE
from workings.vocabulary.kinds import GPT_SHAPED, WITH_ATTENTION, WITHOUT_LATENT


def run_blocks_twice(**letters: Any) -> int:
    """Every product counted forward, those of the blocks forward again, and all back."""
    return training_step(model_tape(**letters), "projections", "core", "ffn")


FULL_RECOMPUTE_FLOPS = derivation(
    "full-recompute-flops",
    title="FLOPs of a training step, every block recomputed (hardware FLOPs)",
    phrases="8ND with full recomputation; "
    "hardware FLOPs with full activation recomputation; 4/3 of step FLOPs any shape; extra "
    "forward pass FLOPs; 8ND instead of 6ND; HFU numerator recompute-granularity full; work done when "
    "forward is run twice; four thirds compute of checkpointing; two forwards and one backward per "
    "iteration; step operations with gradient checkpointing everywhere",
    unit=FLOP,
    letters=MODEL,
    uses={
        "f_train": MODEL_TRAINING_FLOPS.at(),
        "f_block": BLOCK_FORWARD_FLOPS.at(),
        "f_logit": LOGITS_FLOPS.at(B="b*s"),
    },
    source=scaling_book("“Gradient checkpointing”"),
    oracle=run_blocks_twice,
    convention="Only each block's input is kept; the logits are not recomputed.",
    leaves_out=NO_ROUTER,
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-full-recompute-flops-causal"},
    chain="""
    f_full = f_train + L*f_block             -- every block run forward once more
      = 4*L*f_block + 3*f_logit              -- a training step is three forward passes
      < 4/3*f_train                          -- a third more at most: 8 FLOPs a parameter, not 6
    """,
)


def run_the_core_twice(**letters: Any) -> int:
    """Every product counted forward, scores and values forward again, and all back."""
    return training_step(model_tape(**letters), "core")


SELECTIVE_RECOMPUTE_FLOPS = like(
    "selective-recompute-flops",
    FULL_RECOMPUTE_FLOPS,
    title="FLOPs of a training step, attention's core recomputed (hardware FLOPs)",
    phrases="hardware FLOPs with selective recompute any shape; rerun attention scores FLOPs; step cost "
    "with core attention recompute; HFU numerator when only attention is rematerialized; FlashAttention "
    "backward recompute counted as work; recompute-granularity selective, operations per step; "
    "operations redoing softmax and scores only",
    uses={"f_train": MODEL_TRAINING_FLOPS.at(), "f_core": ATTENTION_CORE_FLOPS.at()},
    source=RECOMPUTATION,
    oracle=run_the_core_twice,
    convention="Scores and weighted values are run forward again, once; what FlashAttention redoes "
    "backward (the scores alone) is half of that.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-selective-flops-causal"},
    chain="""
    f_sel = f_train + L*f_core               -- scores and values once more in each block
      = 6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + 8/3*s*H*d_h) + D*V)
                                             -- `2 + 4/6` of the core where there were 2
    """,
)


MEGATRON_TRAINING_FLOPS = derivation(
    "megatron-training-flops",
    title="FLOPs of a GPT's training step, nothing recomputed",
    phrases="72Bslh²(1 + s/6h + V/12lh); GPT model FLOPs per iteration; Korthikanti model FLOPs; "
    "Megatron paper flops formula without checkpointing; 72 B s l h squared; Narayanan flops per "
    "iteration no recompute; num_floating_point_operations for GPT",
    unit=FLOP,
    letters=GPT,
    uses={"f_model": MODEL_FORWARD_FLOPS.at(H="1", K="1", d_h="D", F="4*D", n_f="2")},
    source=RECOMPUTATION,
    oracle=follow_the_tape_back,
    convention=GPT_SHAPE,
    leaves_out=ONLY_PRODUCTS,
    holds_for={GPT_SHAPED: "model-training-flops"},
    chain="""
    f_meg = 3*f_model                        -- forward once, backward twice that
      = 3*(L*(24[FLOP]*b*s*D^2 + 4[FLOP]*b*s^2*D) + 2[FLOP]*b*s*D*V)
                                             -- 12 `D^2` weights a block, the core, the logits
      = 72[FLOP]*b*s*L*D^2*(1 + s/(6*D) + V/(12*L*D))   -- take the first term out
    """,
)


MEGATRON_SELECTIVE_FLOPS = like(
    "megatron-selective-flops",
    MEGATRON_TRAINING_FLOPS,
    title="FLOPs of a GPT's training step, attention's core recomputed",
    phrases="Korthikanti hardware FLOPs selective; GPT step FLOPs with selective recompute; 72bslh²(1 + "
    "2s/9h + ...); 72 B l s h squared 1 + s/3h; Megatron formula with attention scores redone",
    uses={"f_meg": MEGATRON_TRAINING_FLOPS.at(), "f_core": ATTENTION_CORE_FLOPS.at(H="1", d_h="D")},
    oracle=run_the_core_twice,
    convention=f"{GPT_SHAPE} The paper prints s/(3h) in its equation 8 where its own terms give "
    "2s/(9h): it adds the recomputed core three times.",
    holds_for={GPT_SHAPED: "selective-recompute-flops"},
    chain="""
    f_meg_sel = f_meg + L*f_core             -- one more forward pass of scores and values a block
      = 72[FLOP]*b*s*L*D^2*(1 + s/(6*D) + V/(12*L*D)) + L*(4[FLOP]*b*s^2*D)   -- put them in
      = 72[FLOP]*b*s*L*D^2*(1 + 2*s/(9*D) + V/(12*L*D))   -- `1/6 + 4/72 = 2/9`
    """,
)


def compare_steps(**letters: Any) -> Fraction:
    """Every product counted with scores and values run forward twice, over the same run once."""
    tape = model_tape(**letters)
    return Fraction(training_step(tape, "core"), training_step(tape))


SELECTIVE_RECOMPUTE_OVERHEAD = derivation(
    "selective-recompute-overhead",
    title="Hardware over model FLOPs, attention's core recomputed",
    phrases="selective recompute cost ratio for GPT; 1 + s/(18h); 1 + s/6h in the paper; 1.6 percent "
    "extra for MT-NLG selective checkpointing; slowdown for GPT when only attention is rerun; "
    "Korthikanti ratio hardware model FLOPs",
    unit=ONE,
    letters=GPT,
    uses={"f_meg_sel": MEGATRON_SELECTIVE_FLOPS.at(), "f_meg": MEGATRON_TRAINING_FLOPS.at()},
    source=RECOMPUTATION,
    oracle=compare_steps,
    convention="GPT's shape, full attention. The paper's 1 + s/(6h) sets the recomputed core against "
    "a forward pass alone; a training step is three.",
    holds_for={GPT_SHAPED: "selective-recompute-ratio"},
    chain="""
    r_sel = f_meg_sel/f_meg                  -- what the hardware does, over what the model needs
      = (1 + 2*s/(9*D) + V/(12*L*D))/(1 + s/(6*D) + V/(12*L*D))    -- cancel the first term
      < 1 + s/(18*D)                         -- `2/9 - 1/6 = 1/18`: little while `s` is below `18*D`
    """,
)


SELECTIVE_RECOMPUTE_RATIO = like(
    "selective-recompute-ratio",
    SELECTIVE_RECOMPUTE_FLOPS,
    title="Hardware over model FLOPs, attention's core recomputed, any shape",
    phrases="selective recompute cost ratio any model; hardware to model FLOPs core attention rerun; "
    "selective recompute extra compute for Llama; HFU over MFU with core attention rematerialized; how "
    "much slower is selective recompute; FlashAttention recompute overhead in flops; extra work "
    "rerunning attention core, any architecture; is selective recompute cheap with GQA",
    unit=ONE,
    uses={
        "f_sel": SELECTIVE_RECOMPUTE_FLOPS.at(),
        "f_train": MODEL_TRAINING_FLOPS.at(),
        "f_core": ATTENTION_CORE_FLOPS.at(),
    },
    oracle=compare_steps,
    convention="Full attention.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-selective-ratio-causal"},
    chain="""
    r_core_2 = f_sel/f_train                 -- what the hardware does, over what the model needs
      = 1 + L*f_core/f_train                 -- the core of every block once more
    """,
)


MEGATRON_RECOMPUTE_FLOPS = like(
    "megatron-recompute-flops",
    MEGATRON_TRAINING_FLOPS,
    title="FLOPs of a GPT's training step, every block recomputed",
    phrases="96Bslh²(1 + s/6h + V/16lh); Megatron paper step FLOPs with recompute; Narayanan FLOPs "
    "formula; 96 B s l h squared; Narayanan end to end training formula; SC21 Narayanan FLOPs per "
    "iteration; Megatron paper flops with full checkpointing",
    uses={
        "f_block": BLOCK_FORWARD_FLOPS.at(H="1", K="1", d_h="D", F="4*D", n_f="2"),
        "f_logit": LOGITS_FLOPS.at(B="b*s"),
    },
    source=MEGATRON_FLOPS,
    oracle=run_blocks_twice,
    convention=f"{GPT_SHAPE} The logits are not recomputed.",
    holds_for={GPT_SHAPED: "full-recompute-flops"},
    chain="""
    f_meg_full = 4*L*f_block + 3*f_logit     -- blocks forward twice, backward; logits forward once
      = 4*L*(24[FLOP]*b*s*D^2 + 4[FLOP]*b*s^2*D) + 3*(2[FLOP]*b*s*D*V)
                                             -- put them in
      = 96[FLOP]*b*s*L*D^2*(1 + s/(6*D) + V/(16*L*D))   -- take the first term out
    """,
)


def run_a_share_of_weights_again(P: int, L: int, H: int, d_h: int, s: int, x_re: Fraction) -> Fraction:
    """A model in equal parts met part after part by a token, as many as are redone, and all scores."""
    redone = Fraction(0)
    for part in range(x_re.denominator):
        if part < x_re.numerator:
            redone += Fraction(touch_weights(P, 1, passes=1), x_re.denominator)
    tape = Tape()
    for _ in range(L):
        write_attention(tape, s, 1, (H, H, d_h))
    return redone + Fraction(tape.forward("core"), s)


PARTIAL_RECOMPUTE_FLOPS = like(
    "partial-recompute-flops",
    PALM_FLOPS_PER_TOKEN,
    title="FLOPs of a token that a policy of recomputation does again",
    phrases="rematerialization FLOPs per token; 0.75 of non-attention work plus all attention redone; "
    "extra FLOPs of partial remat; PaLM rematerialization cost; forward work redone per token; HFU minus "
    "MFU FLOPs; recompute a share of the layers",
    letters={**PALM_FLOPS_PER_TOKEN.letters, "x_re": REDONE_SHARE},
    oracle=run_a_share_of_weights_again,
    convention="A share `x_re` of the forward work of all weights and all of attention's core, full "
    "attention. PaLM 540B redoes 0.75; with 0 it is attention alone, with 1 the whole forward.",
    chain="""
    f_re = x_re*2[FLOP]*P + L*f_core/s       -- 2 a weight that is met again; a token's part of the core
      = 2[FLOP]*x_re*P + 4[FLOP]*L*H*d_h*s   -- one sequence's core
    """,
)


def train_one_token_and_redo(P: int, L: int, H: int, d_h: int, s: int, x_re: Fraction) -> Fraction:
    """Every weight met by one token in three passes, all scores forward and back, and what is redone."""
    tape = Tape()
    for _ in range(L):
        write_attention(tape, s, 1, (H, H, d_h))
    core = Tape()
    core.products = [product for product in tape.products if product.part == "core"]
    once = touch_weights(P, 1) + Fraction(core.forward() + core.backward(), s)
    return once + run_a_share_of_weights_again(P, L, H, d_h, s, x_re)


HARDWARE_FLOPS_PER_TOKEN = like(
    "hardware-flops-per-token",
    PARTIAL_RECOMPUTE_FLOPS,
    title="Hardware FLOPs of a token, trained with some of the forward done again",
    phrases="HFU numerator per token; hardware FLOPs per trained token with partial remat; 8N + 16LHQT "
    "with full rematerialization; model plus recompute FLOPs of a token; PaLM hardware FLOPs 4.10 "
    "TFLOPs per token; 6N plus rematerialised share",
    uses={"f_tok": PALM_FLOPS_PER_TOKEN.at(), "f_re": PARTIAL_RECOMPUTE_FLOPS.at()},
    oracle=train_one_token_and_redo,
    chain="""
    f_hw = f_tok + f_re                                    -- what the model needs, and what is redone
      = 2[FLOP]*(3 + x_re)*P + 16[FLOP]*L*H*d_h*s          -- put both in
    """,
)
