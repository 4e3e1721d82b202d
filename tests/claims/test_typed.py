"""Displayed products as typed factors, and which forms they are."""

from looping import each

from workings.claims.bindings import concept_terms
from workings.claims.page import page_of
from workings.claims.typed import factors_of, fits
from workings.field.forms import form_of
from workings.formula import parse_expression
from workings.reading.reading import read_document

GIVEN = "The model has 40 layers and 8 KV heads of dimension 128, and 64 query heads.\n\n"
LETTERS = {
    "L": "blocks",
    "K": "kv_heads",
    "H": "heads",
    "d": "head_dim",
    "w": "cache_width",
    "N": "heads",
}


def fitting(display: str, form: str, *times: str) -> bool:
    page = page_of(read_document("page.md", GIVEN + display))
    claim = page.chains[-1]
    factors = factors_of(page, claim.block, claim.left, concept_terms(page.said_in))
    product = form_of(parse_expression(form))
    assert product is not None
    return fits(product, LETTERS, factors, page.bindings, frozenset(times))


@each("display, form", [
    ("2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes", "2*L*K*d*w"),
    ("40 × 8 × 128 × 2 bytes = 81,920 bytes", "L*K*d*w"),
    ("2 · 40 · 64 · 128 · 2 B = 1.31 MB", "2*L*H*d*w"),
    ("2 × 40 × 8 × 128 × 2 bytes / 1024 = 160 KiB", "2*L*K*d*w"),
    ("2 × 63/64 × 40 = 78.75", "2*(N - 1)/N*L"),
])  # fmt: skip
def test_a_product_is_a_form(display: str, form: str) -> None:
    assert fitting(display, form)


@each("display, form", [
    ("40 × 8 × 128 × 2 bytes = 81,920 bytes", "2*L*K*d*w"),
    ("2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes", "L*K*d*w"),
    ("2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes", "2*L*H*d*w"),
    ("3 × 40 × 8 × 128 × 2 bytes = 245,760 bytes", "2*L*K*d*w"),
])  # fmt: skip
def test_a_product_is_no_other_form(display: str, form: str) -> None:
    assert not fitting(display, form)


def test_what_a_page_may_multiply_by_is_left_aside_where_it_is_named() -> None:
    shown = "2 × 40 × 8 × 128 × 2 bytes × 3 requests = 491,520 bytes"
    assert fitting(shown, "2*L*K*d*w", "batch")
    assert not fitting(shown, "2*L*K*d*w")
