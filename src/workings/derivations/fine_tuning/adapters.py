"""Parameters of adapters.

LoRA puts two thin matrices beside a matrix: one takes its input down to a few values, the other takes
these up to its output, and their product is added. What that trains grows with the sum of the matrix's
sides, not with their product. Which matrices are adapted is a choice; the paper adapts queries and
values, and QLoRA all matrices of a block. A bottleneck adapter stands between layers instead, with a
nonlinearity in its middle, so it cannot be merged into the weights. Prefixes train what stands at some
tokens, at the input alone or after every block.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.fine_tuning._sources import HOULSBY, LORA, QLORA
from workings.derivations.parameters._letters import ATTENTION
from workings.simulate.adapters import Matrix, adapt, bottleneck, fill, total, trained
from workings.units import ONE
from workings.vocabulary.fine_tuning import (
    BLOCK_ADAPTERS,
    BOTTLENECK,
    D_IN,
    D_OUT,
    INFIX,
    PREFIX,
    RANK,
    TRAINED,
)
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL, FFN_MATRICES, PARAMETERS

MOST = 20_000  # entries of matrices that an oracle lays out at one point


def lay_a_matrix_out(r: int, d_in: int, d_out: int) -> int:
    """The matrices laid out entry by entry and multiplied; those that are trained are counted."""
    only_if(r * d_in * d_out <= MOST)
    return trained(adapt(d_in, d_out, r))


LORA_MATRIX_PARAMETERS = derivation(
    "lora-matrix-parameters",
    title="Parameters of LoRA for one matrix",
    phrases="low-rank adapter of a linear layer; r(d_in + d_out); r times d plus k; lora_A and lora_B "
    "entries; size of the A and B matrices; rank-r update of a weight matrix trainable count",
    unit=ONE,
    noun="parameters",
    letters={"r": RANK, "d_in": D_IN, "d_out": D_OUT},
    source=LORA,
    oracle=lay_a_matrix_out,
    convention="The matrix itself stays frozen; `A` is `r` by `d_in`, `B` is `d_out` by `r`.",
    leaves_out="The scale `alpha/r`, which is not trained; magnitudes that DoRA trains beside them.",
    chain="""
    P_lora = sum(r, (i, 1, d_in)) + sum(r, (i, 1, d_out))
                                -- down: `r` numbers for each value in; up: `r` for each value out
      = r*d_in + r*d_out        -- equal terms
      = r*(d_in + d_out)        -- collect: the sides add up, where the matrix has their product
    """,
)


def adapted(L: int, r: int, shapes: list[tuple[int, int]]) -> list[Matrix]:
    """In every block each of the matrices with what is trained beside it, laid out."""
    only_if(L * r * sum(takes * gives for takes, gives in shapes) <= MOST)
    return [matrix for _block in range(L) for takes, gives in shapes for matrix in adapt(takes, gives, r)]


def adapt_queries_and_values(L: int, D: int, H: int, K: int, d_h: int, r: int) -> int:
    """Query and value matrices of every block laid out with their adapters; trained entries."""
    return trained(adapted(L, r, [(D, H * d_h), (D, K * d_h)]))


BLOCK_ADAPTED = {
    "P_q": LORA_MATRIX_PARAMETERS.at(d_in="D", d_out="H*d_h"),
    "P_kv": LORA_MATRIX_PARAMETERS.at(d_in="D", d_out="K*d_h"),
}

LORA_QUERY_VALUE_PARAMETERS = derivation(
    "lora-query-value-parameters",
    title="Parameters of LoRA on queries and values",
    phrases="target_modules q_proj v_proj; LoRA paper's choice of matrices; 2 × L_LoRA × d_model × r; "
    "trainable params 4,194,304 of Llama 7B; PEFT default LoRA targets of Llama; LoRA Wq and Wv "
    "parameter count",
    unit=ONE,
    noun="parameters",
    letters={"L": BLOCKS, **ATTENTION, "r": RANK},
    uses=BLOCK_ADAPTED,
    source=LORA.at("section 5.1"),
    oracle=adapt_queries_and_values,
    convention="Where queries and values are as wide as the model it is the paper's "
    "`2*L_LoRA*D*r` with `L_LoRA = 2*L` adapted matrices. One matrix holds all heads.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    P_qv = sum(P_q + P_kv, (i, 1, L))               -- in each block queries and values
      = L*(r*(D + H*d_h) + r*(D + K*d_h))           -- equal blocks; put the adapters in
      = L*r*(2*D + (H + K)*d_h)                     -- collect
    """,
)


def adapt_every_matrix(L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int, r: int) -> int:
    """All matrices of every block laid out with their adapters; trained entries."""
    ups = [(D, F) for matrix in range(n_f) if matrix]  # all but one, which goes down
    heads = [(D, H * d_h), (D, K * d_h), (D, K * d_h), (H * d_h, D)]
    return trained(adapted(L, r, [*heads, *ups, (F, D)]))


LORA_ALL_LINEAR_PARAMETERS = derivation(
    "lora-all-linear-parameters",
    title="Parameters of LoRA on all matrices of the blocks",
    phrases="target_modules all-linear; LoRA rank 16 trainable parameters of a 7B model; how many "
    "parameters does LoRA train; QLoRA adapters on every linear layer; trainable params 41,943,040 of "
    "Llama 3 8B; LoRA on q k v o gate up down; LoRA adapter size; number of trainable LoRA weights",
    unit=ONE,
    noun="parameters",
    letters={"L": BLOCKS, **ATTENTION, "F": D_FF, "n_f": FFN_MATRICES, "r": RANK},
    uses={
        **BLOCK_ADAPTED,
        "P_o": LORA_MATRIX_PARAMETERS.at(d_in="H*d_h", d_out="D"),
        "P_up": LORA_MATRIX_PARAMETERS.at(d_in="D", d_out="F"),
        "P_down": LORA_MATRIX_PARAMETERS.at(d_in="F", d_out="D"),
    },
    source=QLORA.at("section 4"),
    oracle=adapt_every_matrix,
    convention="Queries, keys, values, attention's output and every matrix of the feed-forward, all with "
    "one rank; tables are not adapted.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "", WITHOUT_LATENT: ""},
    chain="""
    P_all = sum(P_q + 2*P_kv + P_o + (n_f - 1)*P_up + P_down, (i, 1, L))
                          -- queries; keys and values; the output; all of a feed-forward but one go up
      = L*(r*(D + H*d_h) + 2*r*(D + K*d_h) + r*(H*d_h + D) + (n_f - 1)*r*(D + F) + r*(F + D))
                          -- equal blocks; put the adapters in
      = L*r*(4*D + 2*(H + K)*d_h + n_f*(D + F))     -- collect: the sides of all matrices, times the rank
    """,
)


def put_adapters_between(L: int, n_a: int, D: int, m: int) -> int:
    """Each adapter's matrices and biases laid out and a vector sent through; trained entries."""
    only_if(L * n_a * D * m <= MOST)
    return trained(part for _ in range(L) for _ in range(n_a) for part in bottleneck(D, m))


BOTTLENECK_ADAPTER_PARAMETERS = derivation(
    "bottleneck-adapter-parameters",
    title="Parameters of bottleneck adapters",
    phrases="Houlsby adapter size; 2md + d + m; adapter layers with a down and an up projection; serial "
    "adapter modules trainable count; adapter tuning parameters per block; AdapterH parameters",
    unit=ONE,
    noun="parameters",
    letters={"L": BLOCKS, "n_a": BLOCK_ADAPTERS, "D": D_MODEL, "m": BOTTLENECK},
    source=HOULSBY,
    oracle=put_adapters_between,
    convention="With biases. Two adapters a block, after attention and after the feed-forward, are the "
    "paper's; later designs have one.",
    leaves_out="Norms of the model, which the paper trains too (`2*D` each with a bias), and the "
    "task's own head.",
    chain="""
    P_bot = sum(sum(D*m + m + m*D + D, (j, 1, n_a)), (i, 1, L))
                                        -- down with its bias, up with its bias, in every adapter
      = L*n_a*(2*D*m + D + m)           -- equal adapters, equal blocks
    """,
)


def lay_prefix_tokens_out(D: int, l_p: int, l_i: int) -> int:
    """Trained vectors put before and after the prompt, entry by entry; the prompt's are frozen."""
    sequence = [True] * l_p + [False] * 3 + [True] * l_i
    return trained(fill(1, D, trained=special) for special in sequence)


PREFIX_EMBEDDING_PARAMETERS = derivation(
    "prefix-embedding-parameters",
    title="Parameters of prefix-embedding tuning",
    phrases="soft prompt trainable parameters; prompt tuning parameter count; d_model × (l_p + l_i); "
    "PreEmbed trainable parameters; special tokens with trainable embeddings; virtual tokens parameters "
    "in PEFT prompt tuning",
    unit=ONE,
    noun="parameters",
    letters={"D": D_MODEL, "l_p": PREFIX, "l_i": INFIX},
    source=LORA.at("section 5.1, “Prefix-embedding tuning”"),
    oracle=lay_prefix_tokens_out,
    convention="One trained vector of the model's width for each token before the prompt and after it.",
    chain="""
    P_pre = sum(D, (i, 1, l_p)) + sum(D, (i, 1, l_i))    -- a vector for each token
      = D*(l_p + l_i)                                    -- collect
    """,
)


def lay_prefixes_of_layers_out(D: int, l_p: int, l_i: int, L: int) -> int:
    """After each block the trained vectors take the place of what it computed there; all entries."""
    return sum(lay_prefix_tokens_out(D, l_p, l_i) if block >= 0 else 0 for block in range(L))


PREFIX_LAYER_PARAMETERS = like(
    "prefix-layer-parameters",
    PREFIX_EMBEDDING_PARAMETERS,
    title="Parameters of prefix-layer tuning",
    phrases="prefix tuning trainable parameters; L × d_model × (l_p + l_i); PreLayer parameter count; "
    "trained activations in every transformer layer; deep prompt tuning parameters; prefix vectors of "
    "all layers",
    letters={**PREFIX_EMBEDDING_PARAMETERS.letters, "L": BLOCKS},
    uses={"P_pre": PREFIX_EMBEDDING_PARAMETERS.at()},
    source=LORA.at("section 5.1, “Prefix-layer tuning”"),
    oracle=lay_prefixes_of_layers_out,
    convention="Trained vectors take the place of what every block computes at these tokens. Where keys "
    "and values are trained instead, as in PEFT, they are two for each block and token. The paper's "
    "table 15 prints 1 to 8 % more than its formula.",
    chain="""
    P_prel = sum(P_pre, (i, 1, L))           -- after every block
      = L*D*(l_p + l_i)                      -- equal blocks
    """,
)


def count_all_and_trained(P: int, P_a: int) -> Fraction:
    """Frozen and trained entries laid out in rows; the trained among all of them."""
    only_if(P + P_a <= MOST)
    laid = [fill(1, P, trained=False), fill(1, P_a, trained=True)]
    return Fraction(trained(laid), total(laid))


TRAINABLE_SHARE = derivation(
    "trainable-share",
    title="Share of parameters that are trained beside frozen ones",
    phrases="trainable% of PEFT; print_trainable_parameters percentage; share of LoRA weights in the "
    "model; fraction of parameters that fine-tuning updates; what percent of the weights does LoRA train",
    unit=ONE,
    letters={"P": PARAMETERS, "P_a": TRAINED},
    source=LORA.at("section 4.2"),
    oracle=count_all_and_trained,
    convention="Of all parameters, the trained ones among them, as PEFT prints it; papers often divide "
    "by the frozen ones alone.",
    chain="""
    x_a = P_a/(P + P_a)       -- trained ones, over frozen and trained ones
      < P_a/P                 -- and a little less than over the frozen ones alone
    """,
)
