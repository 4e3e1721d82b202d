"""What a rank holds."""

from workings.derivation import Source, derivation
from workings.derivations.ranks._sources import LLAMA3_MESH, MEGATRON_WORLD
from workings.units import ONE
from workings.vocabulary.layout import EP, STAGES, TP, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS, EXPERTS, HEADS

MEGATRON_TENSOR = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 2.3",
    "https://arxiv.org/abs/2104.04473",
)


def deal_the_heads(H: int, t: int) -> int | None:
    """Heads dealt to the ranks in turn; what each has where all have as many."""
    ranks = [0] * t
    for head in range(H):
        ranks[head % t] += 1
    return ranks[0] if len(set(ranks)) == 1 else None


HEADS_PER_RANK = derivation(
    "heads-per-rank",
    title="Query heads on one tensor-parallel rank",
    phrases="local attention heads; H/tp",
    unit=ONE,
    noun="heads",
    letters={"H": HEADS, "t": TP},
    given=("t divides H",),
    source=MEGATRON_TENSOR,
    oracle=deal_the_heads,
    convention="A head is not split, so `t` divides `H`.",
    chain="""
    H_r = sum(1/t, (i, 1, H))     -- each rank has an equal part of them
      = H/t                       -- equal terms
    """,
)


def deal_the_experts(E: int, e: int) -> int | None:
    """Experts dealt to the ranks in turn; what each has where all have as many."""
    ranks = [0] * e
    for expert in range(E):
        ranks[expert % e] += 1
    return ranks[0] if len(set(ranks)) == 1 else None


EXPERTS_PER_RANK = derivation(
    "experts-per-rank",
    title="Experts of a block on one rank",
    phrases="local experts; num_local_experts; E/ep",
    unit=ONE,
    noun="experts",
    letters={"E": EXPERTS, "e": EP},
    given=("e divides E",),
    source=MEGATRON_WORLD,
    oracle=deal_the_experts,
    convention="So `e` is at most `E`.",
    chain="""
    E_r = sum(1/e, (i, 1, E))     -- each rank has an equal part of them
      = E/e                       -- equal terms
    """,
)


def deal_layers_to_stages(L: int, p: int) -> int:
    """Layers dealt to the stages in turn; the most that one gets."""
    stages = [0] * p
    for layer in range(L):
        stages[layer % p] += 1
    return max(stages)


FULLEST_STAGE = derivation(
    "fullest-stage",
    title="Layers of the fullest pipeline stage",
    phrases="max layers per stage; ceil(L/p)",
    unit=ONE,
    noun="layers",
    letters={"L": BLOCKS, "p": STAGES},
    source=LLAMA3_MESH,
    oracle=deal_layers_to_stages,
    convention="Layers are spread as evenly as they go.",
    leaves_out="Embedding and head, for which the ends of a pipeline may get a layer less.",
    chain="""
    L_p = ceil(sum(1, (i, 1, L))/p)     -- all layers over the stages, and a started one is a whole one
      = ceil(L/p)                       -- one each
    """,
)


MEGATRON_INTERLEAVED = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 2.2.2",
    "https://arxiv.org/abs/2104.04473",
)


def deal_the_layers(L: int, p: int, v: int) -> bool:
    """Layers dealt to the chunks of all ranks in turn; whether every chunk gets one."""
    chunks = [0] * (p * v)
    for layer in range(L):
        chunks[layer % len(chunks)] += 1
    return all(chunks)


PIPELINE_DEPTH_LIMIT = derivation(
    "pipeline-depth-limit",
    title="Most pipeline stages for a model's layers",
    phrases="max PP size; p ≤ L/v",
    unit=ONE,
    noun="stages",
    letters={"p": STAGES, "L": BLOCKS, "v": VIRTUAL_STAGES},
    source=MEGATRON_INTERLEAVED,
    oracle=deal_the_layers,
    leaves_out="Chunks with only the embedding or only the head, as at the ends of Llama 3's pipeline.",
    chain="""
    L/(p*v) >= 1          -- each of `v` chunks on each of `p` ranks has at least a layer
      <=> p <= L/v        -- multiply by `p`
    """,
)
