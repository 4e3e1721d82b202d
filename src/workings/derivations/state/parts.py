"""Parts of the state, and other optimizers.

The sums above are of three parts that one also asks for alone: the weights, which `weights-bytes` has,
the gradients, and what the optimizer keeps. That last part is the largest with Adam, and so what other
optimizers make smaller: momentum needs one moment, Muon one for the matrices of blocks and Adam's two
for the rest, and Adafactor keeps of each matrix of second moments its sums by rows and by columns alone.
An average of the weights over the steps adds a copy instead. Shared by ranks, a part is a share as well.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, like, only_if
from workings.derivation.chain import Row
from workings.derivations.fine_tuning.adapters import LORA_ALL_LINEAR_PARAMETERS
from workings.derivations.parameters._letters import ATTENTION
from workings.derivations.state._sources import ZERO_STATE
from workings.derivations.state.recipes import RECIPE, TRAINING_STATE, values
from workings.derivations.state.zero import ZERO_STAGES
from workings.simulate.factored import factor, laid_out
from workings.simulate.stored_state import keep, mean, place, total
from workings.units import BYTE
from workings.vocabulary.fine_tuning import D_IN, D_OUT
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.layout import STATE_RANKS
from workings.vocabulary.model import BLOCKS, D_FF, EMBEDDINGS, FFN_MATRICES, PARAMETERS, VOCAB
from workings.vocabulary.state import AVERAGE_WIDTH, HELD, MATRIX_PART, MOMENTS
from workings.vocabulary.training import GRADIENT_WIDTH, MASTER_WIDTH, MOMENT_WIDTH

MOST = 20_000  # values that an oracle keeps at one point


def keep_a_gradient_of_each(P: int, w_g: Fraction) -> Fraction:
    """Every gradient kept, one after the other; their bytes added up."""
    return total(keep(P, {"gradient": w_g}))


GRADIENT_BYTES = derivation(
    "gradient-bytes",
    title="Bytes of all gradients",
    phrases="gradient memory of a model; 4 bytes per parameter for fp32 gradients; 2 bytes per parameter "
    "for fp16 gradients; size of the grad buffer; memory of .grad tensors; extra fp32 gradient "
    "accumulation buffer; main_grad buffer size; memory for gradients only",
    unit=BYTE,
    letters={"P": PARAMETERS, "w_g": GRADIENT_WIDTH},
    source=ZERO_STATE,
    oracle=keep_a_gradient_of_each,
    convention="One gradient a parameter. Where 16-bit gradients are added to a buffer in FP32 and both "
    "are kept, the buffer is 4 bytes a parameter beside them.",
    chain="""
    S_g = sum(w_g, (i, 1, P))      -- a gradient for every parameter
      = w_g*P                      -- equal terms
    """,
)


def deal_gradients_out(P: int, w_g: Fraction, N: int) -> Fraction:
    """Every gradient dealt to one rank of the group; the mean of what the ranks hold."""
    return mean(place(keep(P, {"gradient": w_g}), N, ("gradient",)))


GRADIENT_SHARD_BYTES = derivation(
    "gradient-shard-bytes",
    title="Bytes of a rank's share of the gradients",
    phrases="ZeRO-2 gradient memory per GPU; 2Psi/N_d; sharded gradients per rank; memory of "
    "reduce-scattered gradients; FSDP gradient shard size; partitioned gradients bytes",
    unit=BYTE,
    letters={"P": HELD, "w_g": GRADIENT_WIDTH, "N": STATE_RANKS},
    uses={"S_g": GRADIENT_BYTES.at()},
    source=ZERO_STAGES.at("section 5.2"),
    oracle=deal_gradients_out,
    convention="From ZeRO stage 2 on, and under FSDP. Parameters that do not divide by `N` are counted "
    "as their mean.",
    leaves_out="Gradients of the layer at work, before they are reduced.",
    chain="""
    S_gN = S_g/N             -- the ranks share all gradients
      = w_g*P/N              -- put them in
    """,
)


def keep_what_the_optimizer_does(P: int, w_p: Fraction, w_o: Fraction, n_o: int) -> Fraction:
    """The master weight and each moment of every parameter kept, one after the other."""
    return total(keep(P, {"master": w_p, **{f"moment {place}": w_o for place in range(n_o)}}))


OPTIMIZER_STATE = derivation(
    "optimizer-state",
    title="Optimizer state",
    phrases="memory of optimizer states; 12 bytes per parameter for Adam; 8 bytes per parameter for SGD "
    "with momentum; fp32 copy, momentum and variance; how much does AdamW keep per weight; ZeRO's K "
    "times Psi; master weights plus moments",
    unit=BYTE,
    letters={"P": PARAMETERS, "w_p": MASTER_WIDTH, "w_o": MOMENT_WIDTH, "n_o": MOMENTS},
    source=ZERO_STATE,
    oracle=keep_what_the_optimizer_does,
    convention="The master weights count as the optimizer's; where the forward reads them too, "
    "`w_p = 0`. With Adam `n_o = 2`, and these are the bytes of a checkpoint.",
    leaves_out="The step's temporaries, and a number or two for each tensor, such as its step.",
    chain="""
    S_opt = sum(w_p + sum(w_o, (j, 1, n_o)), (i, 1, P))   -- a master weight and its moments
      = (w_p + n_o*w_o)*P                                 -- 12 bytes with Adam in FP32, 8 with momentum
    """,
)


DEEPSPEED_MUON = Source(
    "Wang, Du, McIsaac and Ma",
    "Using Muon Optimizer with DeepSpeed",
    2026,
    "blogs/muon-optimizer/README.md, “Muon Optimizer Memory Savings”",
    "https://github.com/deepspeedai/DeepSpeed/blob/master/blogs/muon-optimizer/README.md",
)


def keep_by_kind_of_parameter(P: int, w_p: Fraction, w_o: Fraction, P_mat: int) -> Fraction:
    """Each parameter visited: those in matrices get a momentum, the others both of Adam's moments."""
    kept = Fraction(0)
    for parameter in range(P):
        for width in (w_p, w_o) if parameter < P_mat else (w_p, w_o, w_o):
            kept += width
    return kept


MUON_STATE = derivation(
    "muon-state",
    title="Optimizer state with Muon",
    phrases="Muon memory; Muon versus AdamW optimizer memory; one momentum buffer for hidden "
    "matrices and Adam for embeddings; Kimi K2 or Moonlight optimizer memory; MuonClip state; "
    "how much memory does Muon save",
    unit=BYTE,
    letters={"P": PARAMETERS, "w_p": MASTER_WIDTH, "w_o": MOMENT_WIDTH, "P_mat": MATRIX_PART},
    uses={"S_opt": OPTIMIZER_STATE.at(n_o="2")},
    given=("P_mat <= P",),
    source=DEEPSPEED_MUON,
    oracle=keep_by_kind_of_parameter,
    convention="Muon updates the matrices of blocks; embeddings, the output's table, norms and biases "
    "have AdamW. The momentum is kept in `w_o` bytes, as Adam's moments are.",
    leaves_out="The step's temporaries: whole matrices are orthogonalized, so ranks that share them "
    "gather them first.",
    chain="""
    S_muon = S_opt - sum(w_o, (i, 1, P_mat))   -- Adam's, but one moment less for each value of a matrix
      = (w_p + 2*w_o)*P - w_o*P_mat            -- 8 bytes where Adam has 12, in FP32 and all in matrices
    """,
)  # fmt: skip


ADAFACTOR = Source(
    "Shazeer and Stern",
    "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost",
    2018,
    "abstract, “per-row and per-column sums”",
    "https://arxiv.org/abs/1804.04235",
)


def add_squares_up(d_in: int, d_out: int, w_o: Fraction) -> Fraction:
    """Squares of a gradient added up by rows and by columns; what is kept of them."""
    only_if(d_in * d_out <= MOST)
    return factor(laid_out(d_out, d_in)).kept * w_o


FACTORED_MOMENT_BYTES = derivation(
    "factored-moment-bytes",
    title="Bytes of the second moments of a matrix, factored (Adafactor)",
    phrases="Adafactor memory of one weight matrix; row and column statistics of squared gradients; "
    "sublinear optimizer memory n + m instead of nm; exp_avg_sq_row and exp_avg_sq_col size; rank-one "
    "factored second moment; low-memory Adam variance",
    unit=BYTE,
    letters={"d_in": D_IN, "d_out": D_OUT, "w_o": MOMENT_WIDTH},
    source=ADAFACTOR,
    oracle=add_squares_up,
    convention="A matrix `d_in` by `d_out`; vectors, norms and biases among them, keep every moment.",
    leaves_out="First moments, which the method does without unless they are asked for.",
    chain="""
    S_rc = sum(w_o, (i, 1, d_out)) + sum(w_o, (j, 1, d_in))   -- a sum for each row and for each column
      = w_o*(d_in + d_out)                                    -- the sides, where Adam keeps the product
    """,
)


def factor_every_matrix(
    L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int, V: int, n_emb: int, w_o: Fraction
) -> Fraction:
    """Every matrix of a model laid out and its squares added up by rows and columns; what is kept."""
    only_if(L * D * (2 * d_h * (H + K) + n_f * F) + n_emb * V * D <= MOST)
    heads = [(D, H * d_h), (D, K * d_h), (D, K * d_h), (H * d_h, D)]
    ups = [(D, F) for matrix in range(n_f) if matrix]  # all but one, which goes down
    block = [*heads, *ups, (F, D)]
    shapes = [*(shape for _ in range(L) for shape in block), *[(V, D)] * n_emb]
    return sum((factor(laid_out(*shape)).kept for shape in shapes), 0) * w_o


ADAFACTOR_STATE = derivation(
    "adafactor-state",
    title="Bytes of all second moments of a model, factored (Adafactor)",
    phrases="Adafactor optimizer memory of a whole model; how much memory does Adafactor need; T5 "
    "training optimizer state; factored variance for a 70B; Adafactor instead of Adam memory; optimizer "
    "state without per-parameter moments",
    unit=BYTE,
    letters={
        "L": BLOCKS, **ATTENTION, "F": D_FF, "n_f": FFN_MATRICES, "V": VOCAB, "n_emb": EMBEDDINGS,
        "w_o": MOMENT_WIDTH,
    },
    uses={
        "P_all": LORA_ALL_LINEAR_PARAMETERS.at(r="1"),
        "S_rc": FACTORED_MOMENT_BYTES.at(d_in="V", d_out="D"),
    },
    source=ADAFACTOR,
    oracle=factor_every_matrix,
    convention="All heads of a block are one matrix. The sides of all matrices of the blocks are what "
    "LoRA trains with rank 1.",
    leaves_out="Norms, biases and learned positions; master weights; first moments, which the method "
    "does without.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "", WITHOUT_LATENT: ""},
    chain="""
    S_fac = w_o*P_all + n_emb*S_rc          -- rows and columns of the blocks' matrices and of the tables
      = w_o*(L*(4*D + 2*(H + K)*d_h + n_f*(D + F)) + n_emb*(V + D))   -- put the sides in
    """,
)  # fmt: skip


COMPOSER_EMA = Source(
    "MosaicML",
    "Composer: EMA",
    None,
    "the method's description",
    "https://docs.mosaicml.com/projects/composer/en/latest/api_reference/generated/composer.algorithms.EMA.html",
)


def keep_an_average_too(P: int, w_e: Fraction, **widths: Fraction) -> Fraction:
    """Every number kept for every parameter, its average over the steps among them."""
    return total([*values(P, **widths), *keep(P, {"average": w_e})])


EMA_STATE = like(
    "ema-state",
    TRAINING_STATE,
    title="Model state with a moving average of the weights",
    phrases="EMA of model weights memory; exponential moving average copy; 20 bytes per parameter with "
    "an fp32 EMA; shadow parameters memory; averaged weights for evaluation; cost of keeping EMA on "
    "GPU; teacher copy of the weights",
    letters={**RECIPE, "w_e": AVERAGE_WIDTH},
    uses={"S_any": TRAINING_STATE.at()},
    source=COMPOSER_EMA,
    oracle=keep_an_average_too,
    convention="One average. Kept in the host's memory it takes none of the device's, and the row is "
    "what the host holds.",
    ledger=(
        Row("weights, gradients and optimizer", "S_any", "as without an average"),
        Row("average", "w_e*P", "of every weight over the steps"),
    ),
    chain="""
    S_ema = rows                              -- add the rows
      = (w_p + w_g + 2*w_o + w_c + w_e)*P     -- bytes a parameter, times parameters
    """,
)
