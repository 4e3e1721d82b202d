"""State-space blocks.

A Mamba-2 block has no attention and no feed-forward beside it. One matrix leads to everything that a
token brings: a gate and an input for each channel of each head, the vectors B and C for each group of
heads, and a step for each head. A short convolution runs over inputs, B and C; a head has three numbers
of its own; a norm and a matrix lead back. A model is such blocks, each with a norm before it.
"""

from workings.derivation import Source, derivation
from workings.derivations.parameters.parts import EMBEDDING_PARAMETERS, NORM_PARAMETERS
from workings.simulate.weights import Architecture, count, embeddings, norm, state_space
from workings.units import ONE
from workings.vocabulary.model import BLOCKS, D_MODEL, EMBEDDINGS, VOCAB
from workings.vocabulary.state_space import (
    CONV_KERNEL,
    SSM_GROUPS,
    SSM_HEAD_DIM,
    SSM_HEADS,
    STATE_SIZE,
)


def mamba(file: str, place: str) -> Source:
    """A place in the code that the authors of Mamba-2 published with their paper."""
    url = f"https://github.com/state-spaces/mamba/blob/main/{file}"
    return Source("Dao and Gu", "mamba", 2024, f"{file}, {place}", url)


MAMBA_2 = {
    "D": D_MODEL, "H": SSM_HEADS, "d_h": SSM_HEAD_DIM, "N": STATE_SIZE, "G": SSM_GROUPS,
    "k_c": CONV_KERNEL,
}  # fmt: skip
THEIR_LETTERS = "In the paper (arXiv:2405.21060) a head's width `d_h` is P."


def list_a_state_space_block(D: int, **sizes: int) -> int:
    """A list of a block's tensors, head by head and group by group, elements added up."""
    return count(state_space(D, *(sizes[name] for name in MAMBA_2 if name != "D")))


MAMBA_2_BLOCK_PARAMETERS = derivation(
    "mamba2-block-parameters",
    title="Parameters of a Mamba-2 block",
    phrases="Mamba-2 layer weights; state space model block size; SSM layer parameter count; in_proj "
    "out_proj conv1d A_log D dt_bias weights; Mamba2 mixer parameters; how many weights in a Mamba "
    "layer; 3 expand d_model squared; hybrid model's Mamba layer size; selective state space "
    "parameters",
    unit=ONE,
    noun="parameters",
    letters=MAMBA_2,
    source=mamba("mamba_ssm/modules/mamba2.py", "Mamba2.__init__"),
    oracle=list_a_state_space_block,
    convention=f"{THEIR_LETTERS} Mamba-2 has `H*d_h = 2*D`, and so about `6*D^2`; hybrid models "
    "choose other widths. The convolution has a bias, the two matrices have none. Of Mamba-2 2.7B "
    "40,214,000.",
    leaves_out="The norm before the block.",
    chain="""
    P_m2 = sum(D*(2*d_h + 1), (i, 1, H)) + sum(2*D*N, (i, 1, G))
           + sum((k_c + 1)*d_h, (i, 1, H)) + sum(2*(k_c + 1)*N, (i, 1, G))
           + sum(3, (i, 1, H)) + sum(d_h, (i, 1, H)) + sum(d_h*D, (i, 1, H))
                      -- the way in; convolutions; decay, skip and step's bias; norm; the way out
      = D*(2*H*d_h + 2*G*N + H) + (k_c + 1)*(H*d_h + 2*G*N) + 3*H + H*d_h + H*d_h*D
                                                               -- equal heads, equal groups
      = D*(3*H*d_h + 2*G*N + H) + (k_c + 1)*(H*d_h + 2*G*N) + H*(d_h + 3)     -- the matrices first
    """,
)


def list_a_state_space_model(V: int, D: int, n_emb: int, L: int, **sizes: int) -> int:
    """A list of every tensor of the tables, of each block and of the norms, elements added up."""
    of = Architecture(d_model=D, vocab=V, embeddings=n_emb)
    blocks = (list_a_state_space_block(D, **sizes) for _ in range(L))
    norms = (count(norm(f"norm {number}", D)) for number in range(L + 1))
    return count(embeddings(of)) + sum(blocks) + sum(norms)


MAMBA_2_PARAMETERS = derivation(
    "mamba2-parameters",
    title="Parameters of a Mamba-2 model",
    phrases="Mamba-2 2.7B parameter count; total weights of a state space language model; "
    "mamba2-130m size; Codestral Mamba 7B parameters; MambaLMHeadModel weights; how big is a Mamba "
    "model really; pure SSM model size from config.json; attention-free language model parameters",
    unit=ONE,
    noun="parameters",
    letters={"V": VOCAB, "n_emb": EMBEDDINGS, "L": BLOCKS, **MAMBA_2},
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(n_pos="0"),
        "P_m2": MAMBA_2_BLOCK_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(beta_n="0"),
    },
    source=mamba("mamba_ssm/models/mixer_seq_simple.py", "MixerModel and MambaLMHeadModel"),
    oracle=list_a_state_space_model,
    convention="All blocks are Mamba-2's; a hybrid model has others too. The table's rows as they "
    "are kept: `V` = 50,288 for 50,277 tokens in multiples of 16, where Mamba-2 2.7B has "
    "2,702,599,680.",
    chain="""
    P_mamba = P_emb + sum(P_m2 + P_norm, (i, 1, L)) + P_norm   -- tables, blocks and norms, last norm
      = P_emb + L*(P_m2 + P_norm) + P_norm                     -- equal blocks
      = n_emb*V*D + L*P_m2 + (L + 1)*D                         -- a row a token, a scale a value
    """,
)
