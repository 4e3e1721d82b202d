"""Mixtures of experts.

A mixture puts a router and many feed-forwards where a dense block has one. All of them must be stored,
but a token meets only some: total and active parameters are two counts of one model, and work follows the
active ones. Both are given for the mixture alone, for models with grouped-query and with latent
attention, and the active ones once more without the input's table, of which a token reads one row. A
module that predicts further tokens is counted last, apart from the model.
"""

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.parameters._letters import (
    ACTIVE,
    LATENT,
    LATENT_MOE,
    MIXTURE,
    MOE,
    NORM,
    ROUTER,
    described,
)
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.dense import (
    BLOCK_PARTS,
    DENSE_PARAMETERS,
    PARTS,
    list_all_but_the_tables,
)
from workings.derivations.parameters.feed_forward import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.latent_attention import MLA_PARAMETERS
from workings.derivations.parameters.parts import EMBEDDING_PARAMETERS, NORM_PARAMETERS
from workings.derivations.sources import KAPLAN
from workings.simulate.weights import block, choose, count, linear, mixture, model, norm, router
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import ACTIVE_EXPERTS, NORMS
from workings.vocabulary.model import EXPERTS as EXPERTS_OF_A_BLOCK
from workings.vocabulary.state import DENSE_PART, EXPERT_PART

ROUTED = ("L_E <= L", "k_E <= E")
SOME_DENSE = "`L_E` blocks have experts, the others one feed-forward of width `F`."
ONE_ROW_READ = (
    "A token reads one row of the input's table and multiplies nothing with it; the output's table is "
    "counted, as every row of it is multiplied."
)


def list_the_scores(**letters: int) -> int:
    """A list of the vector, and the bias, that scores each expert, elements added up."""
    return count(router(described(**letters)))


ROUTER_PARAMETERS = derivation(
    "router-parameters",
    title="Parameters of a router",
    phrases="gating network weights; MoE gate size; router bias; gate.weight shape hidden by num "
    "experts; how big is the MoE gate; size of the token-to-expert classifier",
    unit=ONE,
    noun="parameters",
    letters=ROUTER,
    source=transformers("deepseek_v3", "DeepseekV3TopkRouter"),
    oracle=list_the_scores,
    convention="One block. DeepSeek-V3's bias balances load and is set by rule, not by gradient: "
    "transformers keeps it as a buffer.",
    chain="""
    P_router = sum(D + beta_r, (i, 1, E))     -- a vector, and perhaps a bias, scores each expert
      = E*(D + beta_r)                        -- `E` equal experts
    """,
)


EXPERTS = {"P_router": ROUTER_PARAMETERS.at(), "P_exp": FFN_BLOCK_PARAMETERS.at(F="F_E", beta_f="0")}


def list_every_expert(E: int, **letters: int) -> int:
    """A list of the router, of every expert's matrices and of the gate, elements added up."""
    return count(mixture(described(E=E, **letters), range(E)))


MIXTURE_PARAMETERS = derivation(
    "mixture-parameters",
    title="Parameters of a mixture of experts",
    phrases="weights of one MoE layer; all experts plus router per layer; num_local_experts times "
    "expert MLP size; total weights of experts together; how heavy is a MoE layer; experts plus shared "
    "expert plus gate, one layer; Mixtral expert weights per layer",
    unit=ONE,
    noun="parameters",
    letters=MIXTURE,
    uses=EXPERTS,
    source=transformers("qwen2_moe", "Qwen2MoeSparseMoeBlock"),
    oracle=list_every_expert,
    convention="One block; it stands where a dense block has its feed-forward. Experts without "
    "biases; `beta_s` is 1 where a gate weighs the shared experts (Qwen2-MoE).",
    holds_for={WITH_EXPERTS: "ffn-block-parameters"},
    chain="""
    P_mix = P_router + sum(P_exp, (i, 1, E)) + sum(P_exp, (i, 1, E_s)) + beta_s*D
                                              -- the router, routed experts, shared experts, their gate
      = P_router + (E + E_s)*P_exp + beta_s*D -- equal experts
    """,
)


def route_one_token(**letters: int) -> int:
    """A token scores the experts; the router and the experts it goes to are listed and added up."""
    architecture = described(**letters)
    return count(mixture(architecture, choose(architecture)))


MIXTURE_ACTIVE_PARAMETERS = like(
    "mixture-active-parameters",
    MIXTURE_PARAMETERS,
    title="Active parameters of a mixture of experts",
    phrases="active weights of one MoE layer; router plus top-k experts per layer; num_experts_per_tok "
    "times expert size; activated weights per token in an expert layer; one MoE layer params actually "
    "used; weights touched by a token in the MoE FFN; weights one token really uses in an MoE layer; "
    "top-k experts plus shared expert, one layer",
    letters={**MIXTURE, **ACTIVE},
    given=("k_E <= E",),
    oracle=route_one_token,
    convention="One block, one token: the whole router, the experts the token goes to, the shared ones.",
    chain="""
    A_mix = P_router + sum(P_exp, (i, 1, k_E)) + sum(P_exp, (i, 1, E_s)) + beta_s*D
                                                -- every expert is scored, `k_E` of them are used
      = P_router + (k_E + E_s)*P_exp + beta_s*D -- equal experts
    """,
)


# Attention and norms of a block
GROUPED = "P_attn + P_attn_b + P_norms"
COMPRESSED = "P_mla + n_n*P_norm"


def whole_model(total: str, attention: str, mixture: str) -> str:
    """A model's blocks and ends added up: whatever its attention, and all experts or active ones."""
    return f"""
    {total} = P_emb + sum({attention}, (i, 1, L)) + sum(P_ffn, (i, 1, L - L_E))
            + sum({mixture}, (i, 1, L_E)) + sum(P_norm, (i, 1, n_nf))
                      -- embeddings; attention and norms of all blocks; dense ones; those with experts
      = P_emb + L*({attention}) + (L - L_E)*P_ffn + L_E*{mixture} + n_nf*P_norm
                      -- equal blocks
    """


MOE_PARAMETERS = like(
    "moe-parameters",
    DENSE_PARAMETERS,
    title="Parameters of a mixture-of-experts transformer",
    phrases="MoE total size; Mixtral 46.7B; Qwen3-MoE parameter count; why is 8x7B not 56B; num_experts "
    "moe_intermediate_size to total billions; Qwen3 235B total from config; total versus active params "
    "total; how big is my MoE; sparse LLM total weight count",
    letters=MOE,
    uses={**PARTS, "P_mix": MIXTURE_PARAMETERS.at()},
    given=("L_E <= L",),
    source=transformers("mixtral", "MixtralForCausalLM"),
    convention=f"Embedding tables counted, the output's too where it is not tied. {SOME_DENSE}",
    holds_for={WITH_EXPERTS: "dense-parameters", WITHOUT_LATENT: "mla-moe-parameters"},
    chain=whole_model("P_moe", GROUPED, "P_mix"),
)


MOE_NON_EMBEDDING_PARAMETERS = like(
    "moe-non-embedding-parameters",
    MOE_PARAMETERS,
    title="Non-embedding parameters of a mixture-of-experts transformer",
    phrases="MoE size without embeddings; non-embedding N with all experts; sparse model size excluding "
    "embeddings; sparse backbone weights without embed_tokens and lm_head; total expert model size "
    "without vocab tables",
    uses={"P_moe": MOE_PARAMETERS.at(), "P_emb": EMBEDDING_PARAMETERS.at()},
    source=KAPLAN,
    oracle=list_all_but_the_tables,
    convention="Both tables and learned positions left out, as in scaling laws and model cards; all "
    "experts counted.",
    holds_for={WITH_EXPERTS: "dense-non-embedding-parameters", WITHOUT_LATENT: ""},
    chain="""
    N_moe = P_moe - P_emb            -- the model without its tables
    """,
)


def follow_one_token(**letters: int) -> int:
    """A token passes every block; each tensor it meets is listed and added up."""
    architecture = described(**letters)
    return count(model(architecture, choose(architecture)))


MOE_ACTIVE_PARAMETERS = like(
    "moe-active-parameters",
    MOE_PARAMETERS,
    title="Active parameters of a mixture-of-experts transformer",
    phrases="activated parameters; Mixtral 12.9B active; A3B; active model size; how many weights does "
    "one token touch; weights used per token in a sparse model; what does 235B-A22B mean; active versus "
    "total parameters; 47B total 13B active",
    letters={**MOE, **ACTIVE},
    uses={**PARTS, "A_mix": MIXTURE_ACTIVE_PARAMETERS.at()},
    given=ROUTED,
    oracle=follow_one_token,
    convention="Every tensor that a token's way through the model meets, whole embedding tables with "
    f"it, as in Mixtral's 12.9B and Qwen3's 3.3B. {SOME_DENSE}",
    holds_for={WITH_EXPERTS: "dense-parameters", WITHOUT_LATENT: "mla-moe-active-parameters"},
    chain=whole_model("A_moe", GROUPED, "A_mix"),
)


def follow_one_token_past_the_lookup(**letters: int) -> int:
    """A token passes every block; each tensor it meets is added up, but for the first table."""
    architecture = described(**letters)
    met = model(architecture, choose(architecture))
    return count(w for w in met if w.name != "token table 0")


def without_the_input_table(active: str, attention: str) -> str:
    """The active parameters of a model but those of the table that they are looked up in."""
    return f"""
    {active}_in = {active} - V*D      -- all active parameters but the input's table
      = (n_emb - 1)*V*D + n_pos*D + L*({attention}) + (L - L_E)*P_ffn + L_E*A_mix
        + n_nf*P_norm              -- all active parameters put in
    """


MOE_ACTIVE_WITHOUT_INPUT_TABLE = like(
    "moe-active-without-input-table",
    MOE_ACTIVE_PARAMETERS,
    title="Active parameters without the input table",
    phrases="activated parameters excluding input embedding; active size without token table; MoE "
    "active count where token lookup is free; N_active minus the embedding lookup",
    uses={**BLOCK_PARTS, "A_mix": MIXTURE_ACTIVE_PARAMETERS.at(), "A_moe": MOE_ACTIVE_PARAMETERS.at()},
    given=(*ROUTED, "n_emb >= 2"),
    oracle=follow_one_token_past_the_lookup,
    convention=ONE_ROW_READ,
    holds_for={WITH_EXPERTS: "", WITHOUT_LATENT: "mla-moe-active-without-input-table"},
    chain=without_the_input_table("A_moe", GROUPED),
)


LATENT_PARTS = {
    "P_mla": MLA_PARAMETERS.at(),
    "P_ffn": FFN_BLOCK_PARAMETERS.at(),
    "P_norm": NORM_PARAMETERS.at(),
}


MLA_MOE_PARAMETERS = like(
    "mla-moe-parameters",
    MOE_PARAMETERS,
    title="Parameters of a mixture-of-experts transformer with MLA",
    phrases="DeepSeek-V3 671B; MLA MoE total size; first_k_dense_replace and shared expert param count; "
    "Kimi K2 1T total params; total weights of DeepSeek-style MLA plus DeepSeekMoE",
    letters=LATENT_MOE,
    uses={"P_emb": EMBEDDING_PARAMETERS.at(), **LATENT_PARTS, "P_mix": MIXTURE_PARAMETERS.at()},
    source=transformers("deepseek_v3", "DeepseekV3ForCausalLM"),
    leaves_out="Multi-token prediction modules, counted by mtp-parameters.",
    holds_for={WITH_EXPERTS: "dense-parameters", LATENT_ATTENTION: "moe-parameters"},
    chain=whole_model("P_mla_moe", COMPRESSED, "P_mix"),
)


MLA_MOE_ACTIVE_PARAMETERS = like(
    "mla-moe-active-parameters",
    MLA_MOE_PARAMETERS,
    title="Active parameters of a mixture-of-experts transformer with MLA",
    phrases="DeepSeek-V3 active parameters with both tables; 37.6B; MLA MoE activated size; Kimi K2 32B "
    "active; where does 37B active come from; weights DeepSeek uses per token; DeepSeek activated "
    "params per token",
    letters={**LATENT_MOE, **ACTIVE},
    uses={"P_emb": EMBEDDING_PARAMETERS.at(), **LATENT_PARTS, "A_mix": MIXTURE_ACTIVE_PARAMETERS.at()},
    given=ROUTED,
    oracle=follow_one_token,
    convention="Every tensor that a token's way through the model meets, whole embedding tables with "
    f"it: 37.6 billion for DeepSeek-V3, whose 37B leave out the input's. {SOME_DENSE}",
    holds_for={WITH_EXPERTS: "dense-parameters", LATENT_ATTENTION: "moe-active-parameters"},
    chain=whole_model("A_mla_moe", COMPRESSED, "A_mix"),
)


DEEPSEEK_WEIGHTS = Source(
    "DeepSeek-AI",
    "DeepSeek-V3 Weight File Documentation",
    2024,
    "README_WEIGHTS.md, “Main Model Weights” and “Multi-Token Prediction (MTP) Modules”",
    "https://github.com/deepseek-ai/DeepSeek-V3/blob/main/README_WEIGHTS.md",
)


MLA_MOE_ACTIVE_WITHOUT_INPUT_TABLE = like(
    "mla-moe-active-without-input-table",
    MOE_ACTIVE_WITHOUT_INPUT_TABLE,
    title="Active parameters without the input table (MLA)",
    phrases="DeepSeek-V3 37B active; activated parameters excluding input embedding MLA; DeepSeek "
    "activated count minus lookup table; why 37B or 36B active DeepSeek",
    letters={**LATENT_MOE, **ACTIVE},
    uses={
        **LATENT_PARTS,
        "A_mix": MIXTURE_ACTIVE_PARAMETERS.at(),
        "A_mla_moe": MLA_MOE_ACTIVE_PARAMETERS.at(),
    },
    source=DEEPSEEK_WEIGHTS,
    convention=f"{ONE_ROW_READ} DeepSeek-V3's 37B are counted so: 36.6 billion. Its weight "
    "documentation says 36.7 with both tables; with both it is 37.6.",
    holds_for={WITH_EXPERTS: "", LATENT_ATTENTION: "moe-active-without-input-table"},
    chain=without_the_input_table("A_mla_moe", COMPRESSED),
)


def list_the_module(D: int, beta_n: int, **letters: int) -> int:
    """A list of the tensors that join two inputs, of one expert block and of the norm after it."""
    joined = linear("eh_proj", D + D, D)
    names = ("enorm", "hnorm", "shared_head.norm")
    norms = (w for name in names for w in norm(name, D, beta_n))
    one = block(described(D=D, beta_n=beta_n, **letters), expert_block=True)
    return count(joined) + count(norms) + count(one)


MTP_PARAMETERS = derivation(
    "mtp-parameters",
    title="Parameters of a multi-token prediction module",
    phrases="MTP head size; multi-token prediction weights; MTP module parameters; "
    "num_nextn_predict_layers extra weights; 671B versus 685B on Hugging Face; additional weights to "
    "guess several next tokens",
    unit=ONE,
    noun="parameters",
    letters={**LATENT, **NORM, "n_n": NORMS, **MIXTURE},
    uses={"P_mla": MLA_PARAMETERS.at(), "P_mix": MIXTURE_PARAMETERS.at(), "P_norm": NORM_PARAMETERS.at()},
    source=DEEPSEEK_WEIGHTS,
    oracle=list_the_module,
    convention="What DeepSeek-V3's module adds to the model; its embedding and output tables are the "
    "model's own, though the released file holds a copy of each.",
    chain="""
    P_mtp = (D + D)*D + 3*P_norm + P_mla + P_mix + sum(P_norm, (i, 1, n_n))
                  -- joins hidden state and next token; norms of both and of the output; one block
      = 2*D^2 + P_mla + P_mix + (n_n + 3)*P_norm            -- collect
    """,
)


ARCTIC = Source(
    "Snowflake AI Research",
    "Snowflake Arctic",
    2024,
    "README.md, “Overview”",
    "https://github.com/Snowflake-Labs/snowflake-arctic",
)
MOST_LISTED = 40_000


def write_the_parts_down(P_d: int, E: int, P_x: int) -> list[int]:
    """The expert that every parameter belongs to, 0 outside of them, parameter after parameter."""
    only_if(P_d + E * P_x <= MOST_LISTED)
    owners = [0 for _ in range(P_d)]
    for expert in range(1, E + 1):
        owners += [expert for _ in range(P_x)]
    return owners


def count_the_parts(P_d: int, E: int, P_x: int) -> int:
    """A list of all parameters, those of every expert after the dense part; how long it is."""
    return len(write_the_parts_down(P_d, E, P_x))


PARTS_PARAMETERS = derivation(
    "parts-parameters",
    title="Parameters of a mixture of experts from its dense part and one expert",
    phrases="total parameters of a dense-MoE hybrid; 10B dense plus 128 x 3.66B experts; Arctic 480B "
    "total; dense part plus number of experts times parameters of an expert; how 8x7B adds up",
    unit=ONE,
    noun="parameters",
    letters={"P_d": DENSE_PART, "E": EXPERTS_OF_A_BLOCK, "P_x": EXPERT_PART},
    source=ARCTIC,
    oracle=count_the_parts,
    convention="An expert's parameters over all blocks that have experts; shared experts and routers "
    "are of the dense part.",
    chain="""
    P_all = P_d + sum(P_x, (i, 1, E))     -- what stands once, and every expert
      = P_d + E*P_x                       -- equal experts
    """,
)


def count_what_a_token_meets(P_d: int, k_E: int, P_x: int) -> int:
    """A list of more experts than a token meets; its parameters in those and outside, one by one."""
    return sum(owner <= k_E for owner in write_the_parts_down(P_d, k_E + 1, P_x))


PARTS_ACTIVE_PARAMETERS = like(
    "parts-active-parameters",
    PARTS_PARAMETERS,
    title="Active parameters of a mixture of experts from its dense part and one expert",
    phrases="active parameters of a dense-MoE hybrid; 10B dense plus top-2 of 3.66B experts; Arctic 17B "
    "active; dense part plus experts of a token; activated parameters from an expert's size",
    letters={"P_d": DENSE_PART, "k_E": ACTIVE_EXPERTS, "P_x": EXPERT_PART},
    oracle=count_what_a_token_meets,
    chain="""
    A_all = P_d + sum(P_x, (i, 1, k_E))     -- what stands once, and the experts that a token meets
      = P_d + k_E*P_x                       -- equal experts
    """,
)
