"""The rule 12·L·D².

A block of a GPT has 4 squares of the model's width in attention and 8 in the feed-forward, so a model has
about twelve squares a block. First how many squares a block really has, for dense blocks by their sizes
and for any model by its largest block. Then what the rule leaves out: the share of a GPT that is tables,
biases and norms, the width from which that is small, the rule with both tables added, and the share for
any model.
"""

from fractions import Fraction

from workings.derivation import Source, derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters._sources import LECTURE_8, LLAMA_CODE, MEGATRON_SIZE
from workings.derivations.parameters.attention import GQA_PARAMETERS, MHA_PARAMETERS
from workings.derivations.parameters.dense import GPT_PARAMETERS, list_a_gpt
from workings.derivations.parameters.feed_forward import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.parts import EMBEDDING_PARAMETERS
from workings.simulate.weights import Weight, attention, count, feed_forward, model
from workings.units import ONE
from workings.vocabulary.kinds import (
    ANY_MODEL,
    BUILT_LIKE_GPT,
    GPT_SHAPED,
    HEADS_FILL,
    TWO_TABLES,
    WITHOUT_EXPERTS,
)
from workings.vocabulary.model import (
    BLOCKS,
    D_FF,
    D_MODEL,
    FFN_MATRICES,
    HEADS,
    KV_HEADS,
    LARGEST_BLOCK,
    PARAMETERS,
    POSITIONS,
    VOCAB,
)
from workings.vocabulary.parameters import LEFT_OUT


def lay_out_as_squares(D: int, H: int, K: int, F: int, n_f: int) -> Fraction:
    """The block's matrices listed and added up, measured in squares as wide as the model."""
    matrices = count(attention(described(D=D, H=H, K=K, d_h=D // H))) + count(
        feed_forward("ffn", D, F, n_f)
    )
    return Fraction(matrices, D * D)


BLOCK_PER_WIDTH_SQUARED = derivation(
    "block-per-width-squared",
    title="Parameters of a dense block in units of D²",
    phrases="12 d_model squared a layer; "
    "layer size in d²; 12d² for other shapes; dense layer coefficient 13 for Llama 8B; why "
    "12h^2 per layer; where does the factor twelve come from; 4 for attention plus 8 for MLP; params "
    "per transformer layer rule of thumb; layer params over hidden squared",
    unit=ONE,
    letters={"D": D_MODEL, "H": HEADS, "K": KV_HEADS, "F": D_FF, "n_f": FFN_MATRICES},
    uses={"P_gqa": GQA_PARAMETERS.at(), "P_ffn": FFN_BLOCK_PARAMETERS.at(beta_f="0")},
    given=("H divides D", "K <= H"),
    source=LECTURE_8.at("lecture 8, “Parallelization”, the slides on Llama 3.1"),
    oracle=lay_out_as_squares,
    convention="The lecture takes 10 for Llama 3.1; it is 13 for 8B (`K/H` = 1/4, `F` = `3.5*D`), "
    "12.75 for 70B and 11.875 for 405B.",
    leaves_out="Norms and biases, which grow with `D`.",
    holds_for={
        HEADS_FILL: "largest-block-per-width-squared",
        WITHOUT_EXPERTS: "largest-block-per-width-squared",
    },
    chain="""
    c_D = (P_gqa + P_ffn)/D^2           -- attention and feed-forward, in squares of the width
      = 2*(1 + K/H) + n_f*F/D           -- sizes put in
    """,
)


def fill_squares(P_B: int, D: int) -> Fraction:
    """Whole squares taken out of the block's parameters row by row, and what is left of the last."""
    squares, left = 0, P_B
    while left >= D * D:
        squares, left = squares + 1, left - sum(D for _ in range(D))
    return squares + Fraction(left, D * D)


LARGEST_BLOCK_PER_WIDTH_SQUARED = derivation(
    "largest-block-per-width-squared",
    title="Parameters of a model's largest block in units of D², any model",
    phrases="biggest layer size in d²; FSDP unit coefficient any model; MoE layer size over hidden "
    "squared; heaviest layer coefficient of h^2",
    unit=ONE,
    letters={"P_B": LARGEST_BLOCK, "D": D_MODEL},
    source=LLAMA_CODE,
    oracle=fill_squares,
    convention="Norms and biases counted, and all experts of a block that has them.",
    holds_for={ANY_MODEL: ""},
    chain="""
    c_B = P_B/D^2      -- the block, in squares of the width
    """,
)


def weigh_the_rest(V: int, n_pos: int, L: int, D: int, H: int) -> Fraction:
    """Tables, biases and norms of a GPT: all its tensors listed, but for the blocks' matrices."""
    matrices = count(attention(described(D=D, H=H, K=H, d_h=D // H)))
    matrices += count(feed_forward("ffn", D, D + D + D + D, 2))
    everything = list_a_gpt(V, n_pos, L, D, H)
    return Fraction(everything - sum(matrices for _ in range(L)), everything)


TWELVE_PARAMETERS_ERROR = derivation(
    "twelve-parameters-error",
    title="Share of a GPT that 12·L·D² leaves out",
    phrases="error of 12Ld² for GPT; fraction missed by 12lh²; accuracy of the 12 layers hidden squared "
    "rule; GPT error from ignoring embeddings, biases, layernorm; how wrong is 12 L h squared for GPT; "
    "error of the quick GPT parameter estimate",
    unit=ONE,
    letters={"V": VOCAB, "n_pos": POSITIONS, "L": BLOCKS, "D": D_MODEL, "H": HEADS},
    uses={"P_gpt": GPT_PARAMETERS.at()},
    given=("H divides D",),
    source=MEGATRON_SIZE,
    oracle=weigh_the_rest,
    convention="Of all parameters: 31.7 % of GPT-2 small, 0.38 % of GPT-3 175B.",
    holds_for={BUILT_LIKE_GPT: "twelve-parameters-left-out"},
    chain="""
    e_12 = (P_gpt - 12*L*D^2)/P_gpt                     -- what the blocks' matrices are not
      = (V*D + n_pos*D + 13*L*D + 2*D)/P_gpt            -- tables, biases and norms
    """,
)


def weigh_and_compare(V: int, n_pos: int, L: int, D: int, x: Fraction) -> bool:
    """All tensors of a GPT listed; whether tables, biases and norms are at most this share of them."""
    return weigh_the_rest(V, n_pos, L, D, 1) <= x


TWELVE_PARAMETERS_WIDTH = derivation(
    "twelve-parameters-width",
    title="Width from which 12·L·D² leaves out little",
    phrases="width needed for 12Ld² to be accurate; hidden size where embeddings are negligible; how "
    "wide before 12lh^2 is good enough; hidden size for the quick estimate to work",
    unit=ONE,
    noun="values",
    letters={"V": VOCAB, "n_pos": POSITIONS, "L": BLOCKS, "D": D_MODEL, "x": LEFT_OUT},
    uses={"e_12": TWELVE_PARAMETERS_ERROR.at(H="1")},
    source=MEGATRON_SIZE,
    oracle=weigh_and_compare,
    convention="A GPT with tied embeddings and every bias, its feed-forward `4*D` wide; its heads do "
    "not matter.",
    holds_for={BUILT_LIKE_GPT: ""},
    chain="""
    e_12 <= x                                     -- the share left out is small enough
      <=> (1/x - 1)*(V*D + n_pos*D + 13*L*D + 2*D) <= 12*L*D^2    -- put the share in
      <=> D >= (1/x - 1)*(V/L + n_pos/L + 13 + 2/L)/12            -- solve for the width
    """,
)


ONLEARN_4D = Source(
    "Onlearn",
    "Designing 4D Parallelism for Large Model Training",
    None,
    "the definition of total params",
    "https://onlearn.app/ds/tutor/infrastructure-parallelism-and-hardware-efficiency/555",
)


def list_matrices_and_tables(V: int, L: int, D: int) -> int:
    """A list of both tables and of every matrix, without norms and biases, elements added up."""
    bare = {"n_n": 0, "n_nf": 0}
    return count(model(described(V=V, L=L, D=D, n_emb=2, d_h=D, F=D + D + D + D, **bare)))


UNTIED_TWELVE_PARAMETERS = derivation(
    "untied-twelve-parameters",
    title="Parameters from two tables and 12·L·D²",
    phrases="2Vd + 12Ld²; GPT estimate with two embedding tables; 12lh^2 with separate input and output "
    "embeddings; 12 L h squared plus 2 V h; tie_word_embeddings false param estimate",
    unit=ONE,
    noun="parameters",
    letters={"V": VOCAB, "L": BLOCKS, "D": D_MODEL},
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(n_emb="2", n_pos="0"),
        "P_mha": MHA_PARAMETERS.at(H="1"),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(F="4*D", n_f="2", beta_f="0"),
    },
    source=ONLEARN_4D,
    oracle=list_matrices_and_tables,
    convention="Two tables, multi-head attention (however many heads), a plain feed-forward of `4*D`.",
    leaves_out="Norms, biases and learned positions.",
    holds_for={GPT_SHAPED: "dense-parameters", TWO_TABLES: "dense-parameters"},
    chain="""
    P_12 = P_emb + sum(P_mha + P_ffn, (i, 1, L))    -- both tables, and every block's matrices
      = 2*V*D + L*(4*D^2 + 2*D*(4*D))               -- sizes put in
      = 2*V*D + 12*L*D^2                            -- collect
    """,
)


def take_twelve_squares_a_block(P_m: int, L: int, D: int) -> Fraction:
    """Twelve square matrices of each block listed and taken from the parameters there are."""
    squares = [Weight("square", (D, D)) for _ in range(L) for _ in range(4 + 4 + 4)]
    return Fraction(P_m - count(squares), P_m)


TWELVE_PARAMETERS_LEFT_OUT = derivation(
    "twelve-parameters-left-out",
    title="Share of a model's parameters that 12·L·D² leaves out, any model",
    phrases="error of 12Ld² any model; what 12lh² misses for Llama or MoE; rule of thumb params versus "
    "real count; 12lh^2 off by how much with GQA and SwiGLU; error of 12 L d squared for any "
    "architecture; how wrong is 12lh^2 for Llama",
    unit=ONE,
    letters={"P_m": PARAMETERS, "L": BLOCKS, "D": D_MODEL},
    source=MEGATRON_SIZE,
    oracle=take_twelve_squares_a_block,
    convention="Whatever the rest is: tables, biases and norms, a wider feed-forward, experts. Where "
    "key and value heads are fewer than query heads, part of it makes up for what they save; below 0 "
    "the rule counts more than there is.",
    holds_for={ANY_MODEL: ""},
    chain="""
    e_rest = (P_m - 12*L*D^2)/P_m    -- what twelve squares a block are not
      = 1 - 12*L*D^2/P_m             -- cancel
    """,
)
