"""Terms are found in text: endings, hyphens, scripts without spaces, and the longest phrase."""

from looping import each

from workings.field.slips import SLIPS
from workings.field.terms import terms_of


def found(text: str, *languages: str) -> set[str]:
    return {hit.term for hit in terms_of(frozenset(languages), SLIPS).hits(text)}


def test_an_ending_and_a_hyphen_belong_to_a_phrase() -> None:
    assert {"kv_heads", "halves"} <= found("With fewer KV-heads the cache is halved.")
    assert "halves" in found("Der Bedarf halbierte sich.", "de")
    assert "halves" not in found("Der Bedarf halbierte sich.")


@each("text", ["rope", "A tropical knot.", "DPOs and stPP"])
def test_a_phrase_is_no_part_of_a_word(text: str) -> None:
    assert not found(text) & {"dp", "tp", "not"}


def test_a_phrase_of_two_signs_is_as_it_is_written() -> None:
    assert "tp" in found("TP = 8")
    assert "tp" not in found("Tp of a page")


def test_a_number_and_a_letter_behind_it_are_two() -> None:
    hits = terms_of(frozenset(), SLIPS).hits("8GPUs")
    assert [(hit.term, hit.start) for hit in hits] == [("devices", 1)]


def test_scripts_without_spaces_are_searched_inside() -> None:
    assert {"blocks", "kv_heads"} <= found("共32层，8个KV头", "zh")


def test_a_phrase_inside_a_longer_one_of_another_term_is_none() -> None:
    hits = terms_of(frozenset(), SLIPS).hits("8 KV heads")
    assert "heads" not in {hit.term for hit in hits}
    assert "kv_heads" in {hit.term for hit in hits}
