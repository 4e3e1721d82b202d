"""Lists of weights: which tensors an architecture has, and which a token meets."""

from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.weights import (
    Architecture,
    Weight,
    attention,
    block,
    choose,
    count,
    embeddings,
    feed_forward,
    latent_attention,
    mixture,
    model,
    norm,
)

small = st.integers(min_value=1, max_value=7)


def test_a_count_multiplies_up_shapes_and_adds() -> None:
    assert count([Weight("a", (2, 3, 5)), Weight("b", (7,)), Weight("c", ())]) == 38


def test_a_plain_feed_forward_goes_up_and_down_and_a_gated_one_up_twice() -> None:
    assert [w.shape for w in feed_forward("f", 2, 5, 2)] == [(2, 5), (5, 2)]
    assert [w.shape for w in feed_forward("f", 2, 5, 3)] == [(2, 5), (2, 5), (5, 2)]
    assert [w.shape for w in feed_forward("f", 2, 5, 2, bias=1)] == [(2, 5), (5,), (5, 2), (2,)]


def test_two_query_heads_may_share_a_key_and_a_value() -> None:
    shared = Architecture(d_model=6, heads=2, kv_heads=1, head_dim=3)
    assert [w.name for w in attention(shared)] == [
        "query 0 weight", "query 1 weight", "key 0 weight", "value 0 weight",
        "output 0 weight", "output 1 weight",
    ]  # fmt: skip


def test_biases_are_listed_where_there_are_some() -> None:
    both = Architecture(d_model=6, heads=2, kv_heads=1, head_dim=3, qkv_bias=1, out_bias=1)
    biases = [w for w in attention(both) if w.name.endswith("bias")]
    assert [w.shape for w in biases] == [(3,), (3,), (3,), (3,), (6,)]


def test_a_layer_norm_has_a_shift_and_a_learned_position_a_row() -> None:
    assert [w.shape for w in norm("n", 4, 1)] == [(4,), (4,)]
    assert len(list(embeddings(Architecture(d_model=4, vocab=9, embeddings=2, positions=3)))) == 5


def test_latent_attention_without_a_compressed_query_has_a_full_matrix_a_head() -> None:
    full = Architecture(d_model=8, heads=2, kv_rank=3, nope_dim=2, rope_dim=1, v_dim=2)
    names = [w.name for w in latent_attention(full)]
    assert "query down weight" not in names
    assert [w.shape for w in latent_attention(full) if w.name == "query 1 content weight"] == [(8, 2)]


@given(width=small, experts=small, chosen=small, inner=small)
def test_a_token_meets_the_whole_router_and_the_experts_it_goes_to(
    width: int, experts: int, chosen: int, inner: int
) -> None:
    a = Architecture(d_model=width, experts=experts, active_experts=min(chosen, experts), d_expert=inner)
    met = list(mixture(a, choose(a)))
    assert len([w for w in met if w.name.startswith("router")]) == experts
    assert len({w.name.split()[1] for w in met if w.name.startswith("expert")}) == min(chosen, experts)


@given(blocks=small, sparse=small, width=small)
def test_the_last_blocks_have_experts(blocks: int, sparse: int, width: int) -> None:
    a = Architecture(d_model=width, blocks=blocks, moe_blocks=min(sparse, blocks), experts=3)
    routers = [w for w in model(a) if w.name == "router 0"]
    assert len(routers) == min(sparse, blocks)
    dense = count(block(a, expert_block=False))
    one = count(block(a, expert_block=True))
    ends = count(embeddings(a)) + width
    assert count(model(a)) == ends + sum([dense] * (blocks - len(routers)) + [one] * len(routers))
