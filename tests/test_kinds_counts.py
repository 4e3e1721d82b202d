"""What answers for a model agrees with its tensors, products and saved values listed one by one."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import pytest
from enumerated_models import Listed, elements, matrices

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError
from workings.formula import DoesNotEvaluateError
from workings.scenario import Scenario, load_scenario, preset_names
from workings.scenario.errors import ScenarioError
from workings.values.worked import work

REST = """
[hardware]
preset = "h100-sxm"
[training]
batch = 4
microbatch = 2
sequence_length = 8
"""
Count = Callable[[Listed], Fraction | int]


def flops(count: Count) -> Count:
    return lambda m: count(m) * m.tokens


def experts_block(m: Listed) -> int:
    return m.products(m.met[-1])


# What each entry counts, counted again. Where several stand for one question, each is for other models.
PARAMETERS: dict[str, Count] = {
    **dict.fromkeys(
        ("ffn-parameters", "dense-parameters", "moe-parameters", "mla-moe-parameters", "gpt-parameters"),
        lambda m: m.parameters,
    ),
    **dict.fromkeys(
        ("dense-non-embedding-parameters", "moe-non-embedding-parameters"),
        lambda m: m.parameters - m.tables,
    ),
    **dict.fromkeys(("moe-active-parameters", "mla-moe-active-parameters"), lambda m: m.active),
    **dict.fromkeys(
        ("moe-active-without-input-table", "mla-moe-active-without-input-table"),
        lambda m: m.active - m.size["vocab"] * m.shape.d_model,
    ),
    "untied-twelve-parameters": lambda m: (
        m.tables - m.shape.positions * m.shape.d_model + sum(matrices(b) for b in m.blocks)
    ),  # it leaves out norms, biases and positions
    **dict.fromkeys(
        ("attention-parameters", "gqa-parameters", "mha-parameters", "mqa-parameters"),
        lambda m: matrices(m.attention),
    ),
    "mla-parameters": lambda m: elements(m.attention),
    "ffn-block-parameters": lambda m: elements(m.feed_forward),
    "mixture-parameters": lambda m: elements(m.mixture()),
    "mixture-active-parameters": lambda m: elements(m.mixture(range(m.shape.active_experts))),
    **dict.fromkeys(("block-weights", "moe-block-weights"), lambda m: matrices(m.blocks[-1])),
    "largest-block-per-width-squared": lambda m: Fraction(
        max(elements(b) for b in m.blocks), m.shape.d_model**2
    ),
    "block-per-width-squared": lambda m: Fraction(matrices(m.blocks[0]), m.shape.d_model**2),
    **dict.fromkeys(
        ("twelve-parameters-error", "twelve-parameters-left-out"),
        lambda m: Fraction(m.parameters - 12 * m.shape.blocks * m.shape.d_model**2, m.parameters),
    ),
}
STATE: dict[str, Count] = {
    **dict.fromkeys(("model-state", "training-state"), lambda m: m.width * m.parameters),
    **dict.fromkeys(
        ("devices-for-state", "devices-for-training-state", "zero-3-smallest-group"),
        lambda m: -(-m.width * m.parameters // m.given["hardware.memory"]),
    ),
    **dict.fromkeys(
        ("bf16-gradient-saving", "narrow-gradient-saving"),
        lambda m: sum((m.given["training.gradient_width"] - 2) * n for n in (m.parameters,)),
    ),
    **dict.fromkeys(
        ("fsdp-working-set", "fsdp-block-working-set"),
        lambda m: (
            (2 * m.given["training.gather_width"] + m.given["training.reduce_width"])
            * max(elements(b) for b in m.blocks)
        ),
    ),
    "adam-fp32-state": lambda m: 16 * m.parameters,
    "mixed-precision-state": lambda m: 16 * m.parameters,
    "mixed-precision-fp32-gradients-state": lambda m: 18 * m.parameters,
    "weights-bytes": lambda m: 2 * m.parameters,
}
FLOPS: dict[str, Count] = {
    "ffn-forward-flops": flops(lambda m: m.products(m.blocks[0])),
    "ffn-backward-flops": flops(lambda m: 2 * m.products(m.blocks[0])),
    "ffn-flops": flops(lambda m: m.products(m.feed_forward)),
    "moe-forward-flops": flops(lambda m: m.products(m.mixture(range(m.shape.active_experts)))),
    "attention-core-flops": flops(lambda m: m.core()),
    "attention-core-flops-causal": flops(lambda m: m.core(causal=True)),
    "mla-core-flops-causal": flops(lambda m: m.core(causal=True)),
    **dict.fromkeys(
        ("attention-projection-flops", "mla-projection-flops"), flops(lambda m: m.products(m.attention))
    ),
    # these leave out a router's scores, and say so
    "block-forward-flops": flops(lambda m: m.products(m.met[-1], router=False) + m.core()),
    "block-backward-flops": flops(lambda m: 2 * (m.products(m.met[-1], router=False) + m.core())),
    "attention-share": lambda m: m.core() / m.products(m.met[-1], router=False),
    "model-forward-flops": flops(lambda m: m.model_forward(router=False)),
    "full-recompute-flops": flops(lambda m: 4 * m.model_forward(router=False) - m.logits),
    "selective-recompute-flops": flops(
        lambda m: 2 * m.model_forward(router=False) + m.model_forward(router=False, core_runs=2)
    ),
    "selective-recompute-ratio": lambda m: (
        Fraction(2, 3) + m.model_forward(router=False, core_runs=2) / (3 * m.model_forward(router=False))
    ),
    "tp-layer-flops": lambda m: (
        m.given["training.microbatch"] * m.sequence * (m.products(m.met[-1], router=False) + m.core())
    ),
    "prefill-flops": lambda m: (
        m.tokens * (m.model_forward(router=False, causal=True) - m.logits)
        + Fraction(m.tokens, m.sequence) * m.logits
    ),
    "mla-moe-prefill-flops": lambda m: (
        m.tokens * (m.model_forward(causal=True) - m.logits) + Fraction(m.tokens, m.sequence) * m.logits
    ),
    # with everything absorbed, scores and values are as wide as the latents
    "mla-moe-decode-flops": lambda m: (
        Fraction(m.tokens, m.sequence)
        * (m.model_forward() + m.size["blocks"] * (absorbed_core(m) - m.core()))
    ),
    # a new token sees as many keys as one of full attention does
    "decode-flops": lambda m: Fraction(m.tokens, m.sequence) * m.model_forward(router=False),
    # and these do not
    **dict.fromkeys(
        ("mla-block-forward-flops-causal",), flops(lambda m: experts_block(m) + m.core(causal=True))
    ),
    "mla-block-backward-flops-causal": flops(lambda m: 2 * (experts_block(m) + m.core(causal=True))),
    "mla-attention-share-causal": lambda m: m.core(causal=True) / experts_block(m),
    **dict.fromkeys(
        ("block-token-flops", "moe-block-token-flops"), lambda m: m.products(m.met[-1]) + m.core()
    ),
    **dict.fromkeys(
        ("model-training-flops", "moe-model-training-flops", "megatron-training-flops"),
        flops(lambda m: 3 * m.model_forward()),
    ),
    **dict.fromkeys(
        (
            "model-training-flops-causal",
            "moe-model-training-flops-causal",
            "mla-moe-training-flops-causal",
        ),
        flops(lambda m: 3 * m.model_forward(causal=True)),
    ),
    "megatron-recompute-flops": flops(lambda m: 4 * m.model_forward() - m.logits),
    "megatron-selective-flops": flops(lambda m: 2 * m.model_forward() + m.model_forward(core_runs=2)),
    "selective-recompute-overhead": lambda m: (
        Fraction(2, 3) + m.model_forward(core_runs=2) / (3 * m.model_forward())
    ),
    "mla-full-recompute-flops-causal": flops(lambda m: 4 * m.model_forward(causal=True) - m.logits),
    "mla-selective-flops-causal": flops(
        lambda m: 2 * m.model_forward(causal=True) + m.model_forward(causal=True, core_runs=2)
    ),
    "mla-selective-ratio-causal": lambda m: (
        Fraction(2, 3) + m.model_forward(causal=True, core_runs=2) / (3 * m.model_forward(causal=True))
    ),
    "attention-share-gpt": lambda m: m.core() / m.products(m.met[-1]),
    "moe-token-flops": lambda m: m.products(m.mixture(range(m.shape.active_experts))),
    "moe-training-flops": flops(lambda m: 3 * m.products(m.mixture(range(m.shape.active_experts)))),
    "logits-flops": flops(lambda m: m.logits),
    "data-parallel-flops": flops(lambda m: 6 * m.active),
    "palm-flops-per-token": lambda m: 6 * m.active + 3 * m.shape.blocks * m.core(),
    "kaplan-flops-per-token": lambda m: 2 * (m.active - m.tables) + m.shape.blocks * m.core(causal=True),
    "training-flops-over-six-n": lambda m: (
        m.model_forward(router=False)
        / (
            sum(m.products(b, router=False) for b in m.met)
            + 2 * m.size["vocab"] * m.shape.d_model * m.shape.embeddings
        )
    ),
}
ACTIVATIONS: dict[str, Count] = {
    **dict.fromkeys(
        ("block-activations", "block-activations-tp", "block-activations-tp-sp"),
        lambda m: m.saved(dropout=True, flash=False),
    ),
    "block-activations-flash": lambda m: m.saved(dropout=True, flash=True),
    "block-activations-no-dropout": lambda m: m.saved(dropout=False, flash=False),
    **dict.fromkeys(
        ("block-activations-selective", "block-activations-tp-selective"),
        lambda m: m.saved(dropout=True, flash=False, recompute="selective"),
    ),
    **dict.fromkeys(
        (
            "block-activations-llama",
            "block-activations-llama-mesh",
            "block-activations-experts",
            "block-activations-dropless",
        ),
        lambda m: m.saved(dropout=False, flash=True),
    ),
    **dict.fromkeys(
        ("block-activations-full", "block-activations-full-sp"),
        lambda m: m.saved(dropout=False, flash=False, recompute="full") - m._norms_on_top(),
    ),
}
KEYS_AND_VALUES: dict[str, Count] = dict.fromkeys(
    ("ring-hop-bytes", "gather-kv-buffer-bytes", "cp-message"),
    lambda m: (
        m.given["training.microbatch"]
        * m.given["training.activation_width"]
        * m.sequence
        * sum(
            w.shape[1] for w in m.attention if w.name.startswith(("key", "value")) and len(w.shape) == 2
        )
    ),
)
COUNTED = PARAMETERS | STATE | FLOPS | ACTIVATIONS | KEYS_AND_VALUES

# Entries whose result is of one of these kinds and that count something else than a whole model or block:
# what they count, which their titles say.
OTHERWISE = {
    "attention-backward-flops": "attention's core", "attention-backward-flops-causal": "attention's core",
    "backward-flops-four-n": "the rule of thumb", "forward-flops-two-n": "the rule of thumb",
    "block-input-gradient-flops": "half of a block's backward", "softmax-flops": "a softmax",
    "block-weight-gradient-flops": "half of a block's backward",
    "mla-absorbed-decode-flops": "a step's attention", "mla-expanded-decode-flops": "a step's attention",
    "tp-copied-block-parameters": "what every tensor-parallel rank holds of a block",
    "tp-copied-latent-block-parameters": "the same with latent attention",
    "tp-copied-mixture-parameters": "the same of what a block with experts adds",
    "attention-bias-parameters": "biases", "block-norm-parameters": "norms", "norm-parameters": "a norm",
    "embedding-parameters": "tables", "router-parameters": "a router", "mtp-parameters": "a module",
    "mla-kv-parameters": "keys and values", "mla-query-parameters": "queries",
    "cross-block-parameters": "a block with attention to an encoder as well",
    "linear-parameters": "a linear network", "linear-net-forward-flops": "a linear network",
    "linear-net-backward-flops": "a linear network", "matmul-flops": "one product",
    "matmul-backward-flops": "one product", "split-matmul-flops": "one product",
    "ring-block-flops": "a block of queries with a block of keys", "moe-compute-per-parameter": "a share",
    "ring-block-flops-zig-zag": "a block of queries with a block of keys",
    "expert-rank-parameters": "a rank", "moe-dense-weights": "a rank", "moe-rank-weights": "a rank",
    "rank-weights": "a rank", "rank-parameters": "a rank", "tp-attention-parameters": "a rank",
    "dualpipe-parameters": "a rank", "ddp-volume": "what is sent", "zero-1-volume": "what is sent",
    "zero-2-volume": "what is sent", "zero-3-volume": "what is sent",
}  # fmt: skip


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> list[Scenario]:
    """Every model that there is a preset of, on one device, the exercise's with its own recipe too."""
    found = []
    for model in preset_names("models"):
        for copy in ("2 byte", "0 byte")[: 2 if model == "xxl-ffn" else 1]:
            path: Path = tmp_path_factory.mktemp(model) / f"{model}.toml"
            rest = f'{REST}working_width = "{copy}"'
            path.write_text(f'[model]\npreset = "{model}"\n{rest}', encoding="utf-8")
            found.append(load_scenario(path))
    return found


def answers(ids: Iterable[str], scenario: Scenario) -> dict[str, Fraction]:
    """What those of these entries say that say anything."""
    found = {}
    for id_ in ids:
        try:
            found[id_] = work(catalogue.get(id_), scenario).value
        except (DoesNotApplyError, DoesNotEvaluateError, ScenarioError):
            continue
    return found


@pytest.mark.slow
def test_what_answers_for_a_model_agrees_with_a_list_of_its_parts(scenarios: list[Scenario]) -> None:
    answered = set()
    for scenario in scenarios:
        model = Listed(scenario)
        for id_, value in answers(COUNTED, scenario).items():
            answered.add(id_)
            assert value == COUNTED[id_](model), f"{id_} at {scenario.file}"
    assert set(COUNTED) - answered <= {"mqa-parameters"}  # no preset has a single key and value head


def test_every_kind_of_model_has_an_answer_to_every_question(scenarios: list[Scenario]) -> None:
    questions = (
        ("ffn-parameters", "dense-parameters", "moe-parameters", "mla-moe-parameters"),
        ("training-state",),
        ("devices-for-training-state",),
        ("ffn-forward-flops", "block-forward-flops", "mla-block-forward-flops-causal"),
    )
    for scenario in scenarios:
        for ids in questions:
            assert len(answers(ids, scenario)) == 1, (scenario.file, ids)


def test_every_count_of_parameters_or_flops_is_counted_again_or_says_of_what_it_is(
    scenarios: list[Scenario],
) -> None:
    wanted = [
        what.id for what in catalogue.every() if what.noun == "parameters" or str(what.unit) == "FLOP"
    ]
    answered = {id_ for scenario in scenarios for id_ in answers(wanted, scenario)}
    assert answered - set(COUNTED) <= set(OTHERWISE)


def absorbed_core(m: Listed) -> int:
    """FLOPs of one token's scores and weighted vectors over a cache of latents, in one block."""
    joined, kept = m.size["kv_rank"] + m.size["rope_dim"], m.size["kv_rank"]
    return sum(2 * m.sequence * wide for _head in range(m.size["heads"]) for wide in (joined, kept))


def of_a_rank(id_: str) -> bool:
    """Whether an entry starts from what one rank of the layout holds."""
    return any(c.kin == "parameters" and "rank" in c.name for c in catalogue.get(id_).letters.values())


def test_presets_with_parallelism_agree_too() -> None:
    """What does not depend on a rank is the same on every layout."""
    ids = [id_ for id_ in (*PARAMETERS, *STATE) if not of_a_rank(id_)]
    for name in preset_names("scenarios"):
        scenario = load_scenario(name)
        model = Listed(scenario)
        for id_, value in answers(ids, scenario).items():
            assert value == COUNTED[id_](model), f"{id_} at {name}"
