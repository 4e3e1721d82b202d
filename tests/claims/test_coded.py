"""What programs calculate, as claims."""

from workings.claims.page import page_of
from workings.marks.tree import letters
from workings.reading.reading import read_document


def test_what_a_dictionary_or_an_object_has_is_a_letter_by_its_name() -> None:
    text = '```python\nsize = 2 * cfg["layers"] * cfg.heads * width // shards\n```'
    [claim] = page_of(read_document("page.md", text)).coded
    assert letters(claim.left) == ("layers", "heads", "width", "shards")
    assert claim.block.text[claim.start : claim.end].startswith("size = 2")
