"""Multi-head latent attention, product by product."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.latent_products import Latent, write_latent_core, write_latent_projections
from workings.simulate.products import Tape

SIZES = Latent(d_model=7, heads=3, q_rank=2, kv_rank=5, nope=4, rope=1, value=3)
SMALL = st.integers(1, 7)


def projected(sizes: Latent, tokens: int = 1) -> Tape:
    tape = Tape()
    write_latent_projections(tape, tokens, sizes)
    return tape


def test_one_token_meets_every_weight_once() -> None:
    down = 7 * 2 + 7 * (5 + 1)
    up = 3 * (2 * (4 + 1) + 5 * 4 + 5 * 3)
    assert projected(SIZES).forward() == 2 * (down + up + 3 * 3 * 7)


def test_a_query_that_is_not_compressed_comes_straight_from_the_token() -> None:
    whole = projected(replace(SIZES, q_rank=0))
    assert projected(SIZES).forward() - whole.forward() == 2 * (7 * 2 + 3 * 2 * 5 - 3 * 7 * 5)


@given(SMALL, SMALL)
def test_projections_grow_with_the_tokens_and_the_core_with_their_pairs(tokens: int, heads: int) -> None:
    sizes = replace(SIZES, heads=heads)
    assert projected(sizes, tokens).forward() == tokens * projected(sizes).forward()
    core = Tape()
    write_latent_core(core, tokens, sizes)
    assert core.forward() == heads * (tokens * (tokens + 1) // 2) * 2 * (4 + 1 + 3)


def test_backward_is_two_products_for_each() -> None:
    tape = projected(SIZES, 3)
    write_latent_core(tape, 3, SIZES)
    assert tape.backward() == 2 * tape.forward()
