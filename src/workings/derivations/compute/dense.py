"""Dense blocks and models.

Parts are added up to a block, a block to a model: equal blocks, then the logits. Backward doubles every
product, so a training step is three forward passes. What nothing is computed twice for are the model's
FLOPs, of which MFU is a share. The last entry counts only causal pairs; all others take full attention,
which is what the published formulas do.
"""

from typing import Any

from workings.derivation import derivation, like
from workings.derivations.compute._model import (
    BLOCK,
    CAUSAL,
    MODEL,
    NO_ROUTER,
    ONLY_PRODUCTS,
    model_tape,
    training_step,
)
from workings.derivations.compute._sources import (
    KAPLAN_COMPUTE,
    RECOMPUTATION,
    RECOMPUTATION_LAYER,
    ZERO_BUBBLE_LAYER,
)
from workings.derivations.compute.attention import BLOCK_PARTS, CAUSAL_PARTS
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import D_MODEL, VOCAB
from workings.vocabulary.training import TOKENS


def write_down_a_block(**letters: Any) -> int:
    """Every product of one block written down with its shapes, sequence by sequence, and counted."""
    return model_tape(**letters).forward("projections", "core", "ffn")


BLOCK_FORWARD_FLOPS = derivation(
    "block-forward-flops",
    title="FLOPs of a transformer block, forward",
    phrases="transformer layer forward FLOPs; one layer compute; 24bsh² + 4bs²h per layer; cost of a "
    "single decoder layer; attention plus MLP forward cost; 24 B s h squared; operations per layer "
    "going forward; forward work of one layer",
    unit=FLOP,
    letters=BLOCK,
    uses=BLOCK_PARTS,
    source=RECOMPUTATION_LAYER,
    oracle=write_down_a_block,
    convention="Full attention.",
    leaves_out="Norms, softmax, activation functions and residual additions; a mixture's router.",
    holds_for={WITH_ATTENTION: "ffn-forward-flops", WITHOUT_LATENT: "mla-block-forward-flops-causal"},
    chain="""
    f_block = f_proj + f_core + f_ffn        -- attention's two parts and the feed-forward
      = 4[FLOP]*b*s*D*d_h*(H + K) + 4[FLOP]*b*s^2*H*d_h + 2[FLOP]*n_f*b*s*D*F
                                             -- put them in
      = 2[FLOP]*b*s*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h)
                                             -- 2 FLOPs a weight and token, and the core
    """,
)


def follow_a_block_back(**letters: Any) -> int:
    """Every product of one block written down, then two for each, one a factor's gradient, counted."""
    tape = model_tape(**letters)
    tape.products = [product for product in tape.products if product.part != "logits"]
    return tape.backward()


BLOCK_BACKWARD_FLOPS = like(
    "block-backward-flops",
    BLOCK_FORWARD_FLOPS,
    title="FLOPs of a transformer block, backward",
    phrases="transformer layer backward FLOPs; one layer backprop cost; twice the layer forward; "
    "48bsh^2+8bs^2h per layer; decoder layer gradient compute",
    uses={"f_block": BLOCK_FORWARD_FLOPS.at()},
    oracle=follow_a_block_back,
    convention="Full attention; gradients of all weights and all inputs, the block's own included.",
    holds_for={WITH_ATTENTION: "ffn-backward-flops", WITHOUT_LATENT: "mla-block-backward-flops-causal"},
    chain="""
    f_block_b = f_block + f_block            -- a product for the gradient of either factor
      = 4[FLOP]*b*s*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h)
                                             -- put the forward in
    """,
)


def follow_a_block_back_to(**letters: Any) -> tuple[int, int]:
    """FLOPs of the gradients of a block's activations, and of its weights, product by product.

    A product of two activations (scores, their sum over values) gives gradients of activations only.
    """
    inputs = weights = 0
    for product in model_tape(**letters).products:
        if product.part == "logits":
            continue
        left, right = product.gradients()
        inputs += left.flops + (right.flops if product.part == "core" else 0)
        weights += 0 if product.part == "core" else right.flops
    return inputs, weights


def follow_a_block_back_to_its_inputs(**letters: Any) -> int:
    """Every product of one block written down; those that the gradient of its input needs, counted."""
    return follow_a_block_back_to(**letters)[0]


BLOCK_INPUT_GRADIENT_FLOPS = like(
    "block-input-gradient-flops",
    BLOCK_BACKWARD_FLOPS,
    title="FLOPs of a transformer block's backward for the gradient of its input",
    phrases="B pass FLOPs of a layer; dgrad FLOPs of a transformer block; activation gradient "
    "operations; sbh(24h + 8s); backward for the inputs only; zero bubble B computation per layer; "
    "agrad half of backward; dX part of a decoder layer's backprop; "
    "is the input half of backward longer than forward",
    uses=BLOCK_PARTS,
    source=ZERO_BUBBLE_LAYER,
    oracle=follow_a_block_back_to_its_inputs,
    convention="Full attention. In a pipeline this is what the stage before waits for, `T_B`.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    f_block_B = f_proj + f_ffn + f_core + f_core  -- a product each; the core's factors both depend on it
      = 2[FLOP]*b*s*(2*D*d_h*(H + K) + n_f*D*F + 4*s*H*d_h)
                                             -- put them in: the forward, and the core once more
    """,
)


def follow_a_block_back_to_its_weights(**letters: Any) -> int:
    """Every product of one block written down; those that give gradients of weights, counted."""
    return follow_a_block_back_to(**letters)[1]


BLOCK_WEIGHT_GRADIENT_FLOPS = like(
    "block-weight-gradient-flops",
    BLOCK_INPUT_GRADIENT_FLOPS,
    title="FLOPs of a transformer block's backward for the gradients of its weights",
    phrases="W pass FLOPs of a layer; wgrad FLOPs of a transformer block; weight gradient operations; "
    "24sbh^2 backward for the weights; deferred weight gradient compute; dW part of a layer's flops; "
    "zero bubble W computation per "
    "layer; is the weight half of backward shorter than forward",
    uses={name: part for name, part in BLOCK_PARTS.items() if name != "f_core"},
    oracle=follow_a_block_back_to_its_weights,
    convention="Attention's scores and their sum over the values have no weights. In a pipeline this is "
    "what can be put off, `T_W`; the forward and both halves take equally long only without a core.",
    chain="""
    f_block_W = f_proj + f_ffn               -- a product for each matrix of weights, none for the core
      = 2[FLOP]*b*s*(2*D*d_h*(H + K) + n_f*D*F)
                                             -- put them in: the forward without the core
    """,
)


def score_every_word(B: int, D: int, V: int) -> int:
    """Every token multiplied by the output table in nested loops that count each FLOP."""
    return counted_matmul(ffn_numbers(B, D, 1), ffn_numbers(D, V, 2))[1]


LOGITS_FLOPS = derivation(
    "logits-flops",
    title="FLOPs of the logits, forward",
    phrases="LM head FLOPs; unembedding matmul cost; 2BDV; output projection to vocabulary compute; "
    "6bshV head term, forward part; last layer matmul is slow with big vocab; operations to score every "
    "vocabulary word; 2 B s h V; is the lm_head expensive with 128k vocabulary",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "V": VOCAB},
    uses={"f": MATMUL_FLOPS.at(F="V")},
    source=RECOMPUTATION_LAYER,
    oracle=score_every_word,
    convention="Logits of every token, as in training; tied or untied tables cost the same.",
    leaves_out="The softmax and the loss; the input embedding is looked up, not multiplied.",
    chain="""
    f_logit = f                              -- from the model's width to the vocabulary
      = 2[FLOP]*B*D*V                        -- a score for every word
    """,
)


def write_down_the_model(**letters: Any) -> int:
    """Every product of the whole model written down with its shapes and counted."""
    return model_tape(**letters).forward()


MODEL_FORWARD_FLOPS = derivation(
    "model-forward-flops",
    title="FLOPs of a model, forward",
    phrases="whole dense model forward FLOPs; forward pass cost with logits; inference prefill FLOPs; "
    "compute for a forward pass of an LLM; eval pass without gradients, compute; how many flops to "
    "process a batch; all layers plus lm_head forward; cost of running the whole model once; whole "
    "network forward work",
    unit=FLOP,
    letters=MODEL,
    uses={"f_block": BLOCK_FORWARD_FLOPS.at(), "f_logit": LOGITS_FLOPS.at(B="b*s")},
    source=RECOMPUTATION_LAYER,
    oracle=write_down_the_model,
    convention="Full attention.",
    leaves_out=NO_ROUTER,
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    f_model = sum(f_block, (i, 1, L)) + f_logit     -- block after block, then the logits
      = L*f_block + f_logit                         -- equal blocks
      = 2[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + D*V)
                                                    -- put them in
    """,
)


def follow_the_tape_back(**letters: Any) -> int:
    """Every product written down, then followed back: two more for each, one an operand."""
    return training_step(model_tape(**letters))


MODEL_TRAINING_FLOPS = derivation(
    "model-training-flops",
    title="FLOPs of a dense model's training step (model FLOPs)",
    phrases="dense training step FLOPs exact; model FLOPs per iteration full attention; forward plus "
    "backward of all layers and head; how many flops does one iteration take; compute per optimizer "
    "step with attention included; TFLOPs per global batch; MFU numerator; three times the forward "
    "compute; work per training step of an LLM",
    unit=FLOP,
    letters=MODEL,
    uses={"f_model": MODEL_FORWARD_FLOPS.at()},
    source=RECOMPUTATION,
    oracle=follow_the_tape_back,
    convention="Full attention; nothing is computed twice. The first block's input gets a gradient "
    "too, for the embedding.",
    leaves_out="The optimizer's step, which does not grow with the batch.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "moe-model-training-flops"},
    chain="""
    f_train = f_model + 2*f_model            -- backward, a product for each of two operands
      = 3*f_model                            -- add
      = 6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + D*V)
                                             -- 6 FLOPs a weight and token, and the core
    """,
)


def follow_the_causal_tape_back(**letters: Any) -> int | None:
    """Every product written down, one row of scores a query, then followed back, and counted."""
    if letters["L"] * letters["b"] * letters["H"] * letters["s"] > 1_500:
        return None
    return training_step(model_tape(**letters, causal=True))


MODEL_TRAINING_FLOPS_CAUSAL = like(
    "model-training-flops-causal",
    MODEL_TRAINING_FLOPS,
    title="FLOPs of a dense model's training step, causal pairs only",
    phrases="dense training step FLOPs causal; model FLOPs counting half of attention; masked attention "
    "iteration FLOPs; MFU numerator with causal mask; should I halve attention in MFU; training "
    "operations counting only lower triangle; FLOPs per iteration counting causal mask",
    uses={**CAUSAL_PARTS, "f_logit": LOGITS_FLOPS.at(B="b*s")},
    source=KAPLAN_COMPUTE,
    oracle=follow_the_causal_tape_back,
    convention=CAUSAL,
    leaves_out=ONLY_PRODUCTS,
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "moe-model-training-flops-causal"},
    chain="""
    f_train_c = 3*(L*(f_proj + f_causal + f_ffn) + f_logit)   -- forward once, backward twice that
      = 6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + (s + 1)*H*d_h) + D*V)
                                             -- `s + 1` where full attention has `2*s`
    """,
)
