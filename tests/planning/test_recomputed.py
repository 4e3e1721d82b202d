"""What is computed again, as a job says it: one spelling, its letters, and words."""

from fractions import Fraction

import pytest
from jobs import deepseek_v3, experts_64, llama3_8b
from looping import each

from workings.planning.job import Job
from workings.planning.naming import named
from workings.planning.recomputed import UnknownError, again, idle, letters, plain, spelled, stated


@each(
    "said, spelling",
    [
        ("none", "none"), ("full", "full"), ("operations", "operations"), ("core_attn", "selective"),
        (["mlp", "core_attn"], "mlp, core_attn"), ("core_attn,mlp", "mlp, core_attn"), (["mlp"], "mlp"),
        ("layers  010", "layers 10"), ("every 2 layers", "every 2 layers"),
        ("all but value, query", "all but query, value"),
        (["all but value", "query", "value"], "all but query, value"),
    ],
)  # fmt: skip
def test_what_is_said_has_one_spelling(said: object, spelling: str) -> None:
    assert plain(said) == spelling
    assert plain(spelling) == spelling


@each(
    "said, expected",
    [
        ("some", "none, selective, full"), ("", "none, selective"), ([], "none, selective"),
        (3, "none, selective"), (["mlp", 3], "none, selective"),
        ("mlp, full", "modules, each one of moe"),
        ("all but mlp", "values, each one of norms"), ("all but ", "none, selective"),
        ("layers 0", "at least one"), ("layers -1", "none, selective"), ("layers 1.5", "none, selective"),
        ("every 0 layers", "at least one"), ("layers " + "9" * 99, "none, selective"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_what_is_expected(said: object, expected: str) -> None:
    with pytest.raises(UnknownError, match=expected):
        plain(said)


def stating(job: Job, said: str) -> Job:
    return job.with_values(letters(said, job.values(), flash=True))


@each(
    "said, words",
    [
        ("none", "nothing"), ("selective", "scores"), ("full", "blocks"),
        ("layers 10", "10 of 48 blocks"),
        ("operations", "every second product and all cheap operations"),
        ("compiled operations", "every second product and all cheap operations"),
        ("mlp, core_attn, layernorm", "the feed-forward, scores and norms"),
        ("moe", "experts with their messages"), ("mlp_act, moe_act",
         "the feed-forward's activation and experts' activation"),
        ("shared_experts", "shared experts"), ("all but query, context, output",
         "all but query, context, output"),
    ],
)  # fmt: skip
def test_the_letters_tell_what_was_said(said: str, words: str) -> None:
    v = stating(experts_64(), said).values()
    assert spelled(v) == said
    assert again(v) == words
    assert stated(v) == (said not in ("none", "selective", "full"))
    assert (f"{words} computed again" in named({**v, "d": Fraction(1)})) == (said != "none")


def test_every_so_many_layers_are_as_many_blocks() -> None:
    assert spelled(stating(experts_64(), "every 5 layers").values()) == "layers 9"  # of 48


def test_a_model_is_told_what_it_has_not() -> None:
    dense, mixed = llama3_8b().values(), experts_64().values()
    assert dict(idle("moe, mlp, moe_act", dense)) == dict.fromkeys(
        ("moe", "moe_act"), "the model has no experts"
    )
    assert dict(idle("moe, mlp", mixed)) == {"mlp": "every block has experts"}
    with pytest.raises(UnknownError, match="no latent attention"):
        letters("mla_up_proj", dense, flash=True)
    with pytest.raises(UnknownError, match="at most the 32 blocks"):
        letters("layers 33", dense, flash=True)


def test_scores_are_computed_again_with_what_is_not_kept_unless_attention_is_fused() -> None:
    v = llama3_8b().values()
    for said in ("operations", "all but context"):
        assert [letters(said, v, flash)["z_c"] for flash in (True, False)] == [0, 1]
    assert letters("all but scores", v, flash=False)["z_c"] == 0


def test_products_are_counted_in_the_order_of_a_block() -> None:
    """Of latents torchtitan counts the ways down and up, so its second products are other ones."""
    models = (job().values() for job in (llama3_8b, deepseek_v3))
    dense, latent = (letters("operations", model, flash=True) for model in models)
    second = ("r_qry", "r_key", "r_val", "r_mid", "r_gat", "r_up", "r_dwn")
    assert [name for name in second if dense[name]] == ["r_key", "r_mid", "r_up"]
    assert [name for name in second if latent[name]] == ["r_qry", "r_key", "r_val", "r_gat", "r_dwn"]
