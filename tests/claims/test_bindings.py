"""The values that a page gives concepts in prose, tables and programs, and what its letters are."""

from fractions import Fraction

from looping import each

from workings.claims.page import Page, page_of
from workings.reading.reading import read_document


def page(text: str) -> Page:
    return page_of(read_document("page.md", text))


@each("text, concept, value", [
    ("The model has 40 layers.", "blocks", 40),
    ("KV heads: 8, head dimension: 128", "kv_heads", 8),
    ("It has 8 KV heads of dimension 128.", "head_dim", 128),
    ("46.7B parameters in total, 12.9B active", "active_parameters", 12_900_000_000),
    ("| what | value |\n|---|---|\n| layers | 80 |\n| KV heads | 8 |", "blocks", 80),
    ("```python\nnum_hidden_layers = 80\nnum_key_value_heads = 8\n```", "kv_heads", 8),
    ("共有 80 层，8 个 KV 头。", "blocks", 80),
])  # fmt: skip
def test_a_page_gives_a_concept_a_value(text: str, concept: str, value: int) -> None:
    assert Fraction(value) in page(text).bindings.of.get(concept, frozenset())


def test_a_value_belongs_to_the_word_beside_it() -> None:
    of = page("It has 40 layers, 8 KV heads, 64 query heads.").bindings
    assert of.concepts(Fraction(8)) == {"kv_heads"}
    assert of.concepts(Fraction(64)) == {"heads"}


def test_letters_are_explained_by_the_words_beside_them() -> None:
    found = page("Let $L$ layers and $K$ KV heads. Then $C = 2 L K d$.").letter_concepts
    assert found["L"] == {"blocks"}
    assert found["K"] == {"kv_heads"}
    assert not found["d"]


def test_a_value_is_nothing_that_is_measured_in_another_unit() -> None:
    of = page("A dense 312 TFLOP/s. Throughput of the run: 900 tokens/s.").bindings
    assert "C" in of.concepts(Fraction(312 * 10**12))
    assert not of.concepts(Fraction(312 * 10**12)) & {"parameters", "tokens_per_second"}


def test_a_letter_is_what_its_value_is_measured_in() -> None:
    one = page("Each rank sends $S/B$, with $S = 14$ GB and $B = 50$\\,GB/s.")
    assert "bandwidth" in one.meaning_of("B")
    assert "batch" not in one.meaning_of("B")
    assert "sequence_length" not in one.meaning_of("S")
