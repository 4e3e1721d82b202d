"""Norms, linear maps and tables.

The smallest pieces of a model. A norm has one or two values for each of the width, a linear map a value
for each pair of input and output, a table a row for each word. Whether the output has a table of its own
or shares the input's, and whether positions are learned, decides how much of a small model is tables.
"""

from workings.derivation import derivation
from workings.derivations.parameters._letters import EMBEDDING, NORM, described
from workings.derivations.parameters._sources import LECTURE_8, transformers
from workings.simulate.weights import count, embeddings, linear, norm
from workings.units import ONE
from workings.vocabulary.model import BLOCKS, D_MODEL


def list_one_norm(D: int, beta_n: int) -> int:
    """A list of the norm's scale and shift, elements added up."""
    return count(norm("norm", D, beta_n))


NORM_PARAMETERS = derivation(
    "norm-parameters",
    title="Parameters of a norm",
    phrases="RMSNorm or LayerNorm weights; gain and bias count; gamma and beta size; how many weights "
    "does RMSNorm have; scale and shift weights; ln_f weight count; 2h per layer norm; size of the "
    "normalization layer",
    unit=ONE,
    noun="parameters",
    letters=NORM,
    source=transformers("llama", "LlamaRMSNorm; gpt2 has torch.nn.LayerNorm"),
    oracle=list_one_norm,
    convention="RMSNorm has a scale only, `beta_n = 0`; LayerNorm has a shift too, `beta_n = 1`.",
    chain="""
    P_norm = D + beta_n*D       -- a scale for each value, and perhaps a shift
      = (1 + beta_n)*D          -- collect
    """,
)


def list_the_layers(L: int, D: int) -> int:
    """A list of every layer's matrix with its shape, elements added up."""
    return sum(count(linear(f"layer {layer}", D, D)) for layer in range(L))


LINEAR_PARAMETERS = derivation(
    "linear-parameters",
    title="Parameters of a linear network",
    phrases="deep linear network size; LD²; how many weights without attention or MLP, just matrices; "
    "fully connected net parameter count; weights in a stack of nn.Linear layers; L times D squared "
    "weights; weights plus biases of dense layers; size of a simple neural net; toy MLP model size",
    unit=ONE,
    noun="parameters",
    letters={"L": BLOCKS, "D": D_MODEL},
    source=LECTURE_8.at("lecture 8, “Parallelization”, the slides on the linear network"),
    oracle=list_the_layers,
    convention="Square matrices without biases; the width is the same in every layer.",
    chain="""
    P_lin = sum(D*D, (i, 1, L))    -- one square matrix a layer
      = L*D^2                      -- `L` equal layers
    """,
)


def list_the_rows(**letters: int) -> int:
    """A list of every table and of every learned position, elements added up."""
    return count(embeddings(described(**letters)))


EMBEDDING_PARAMETERS = derivation(
    "embedding-parameters",
    title="Embedding tables and learned positions",
    phrases="embedding and unembedding matrices of V by D; "
    "vocabulary matrix size; tied or untied lm_head; token and position table parameters; wte "
    "wpe; how much does a bigger vocab cost; tie_word_embeddings saves how many weights; vocabulary "
    "lookup table size; vocab size times hidden size; positional encoding weights",
    unit=ONE,
    noun="parameters",
    letters=EMBEDDING,
    source=transformers("gpt2", "GPT2Model: wte, wpe; GPT2LMHeadModel: lm_head"),
    oracle=list_the_rows,
    convention="`n_emb` is 1 where the output uses the input's table (tied), 2 where it has its own; "
    "rotary positions are not learned, `n_pos = 0`.",
    chain="""
    P_emb = sum(V*D, (i, 1, n_emb)) + sum(D, (i, 1, n_pos))   -- a row a token, a row a position
      = n_emb*V*D + n_pos*D                                   -- equal tables, equal rows
    """,
)
