"""Facts speak of terms that exist and of entries that the catalogue has."""

from looping import each

from workings import catalogue
from workings.field.patterns import pattern_of, slots_of, terms_in
from workings.field.topics import SHARED, Chapter, Fact, chapters, facts


def test_no_two_facts_have_one_name() -> None:
    names = [fact.id for fact in facts()]
    assert len(set(names)) == len(names)


@each("chapter", chapters().values())
def test_facts_use_terms_of_their_chapter_and_entries_that_are_there(chapter: Chapter) -> None:
    named = {*chapter.terms, *chapters()[SHARED].terms}
    for fact in chapter.facts:
        unknown = set(terms_in(*fact.wrong, fact.about, fact.unless)) - named
        assert not unknown, f"{fact.id}: the chapter has no {', '.join(sorted(unknown))}"
        assert not fact.entry or fact.entry in catalogue.ids(), fact.entry


@each("chapter", chapters().values())
def test_a_wrong_form_is_more_than_one_word(chapter: Chapter) -> None:
    phrases = {**chapters()[SHARED].terms, **chapter.terms}

    def words(name: str) -> int:
        """The fewest words, or signs of a script without spaces, that name a term."""
        texts = [text for of in phrases.get(name, {}).values() for text in of] or [name]
        return min(len(text.split()) if text.isascii() else len(text) // 2 for text in texts)

    for fact in chapter.facts:
        about = len(slots_of(fact.about).slots) if fact.about else 0
        for form in fact.wrong:
            wanted = [slot for slot in pattern_of(form).slots if not slot.absent]
            parts = sum(min(len(way[::2]) for way in slot.ways) for slot in wanted)
            alone = min(words(name) for name in wanted[0].ways[0][::2])
            assert parts + bool(about) >= 2 or alone >= 2, f"{fact.id}: {form}"


@each("fact", facts(), ids=lambda fact: fact.id)
def test_a_fact_shows_what_it_accuses_and_what_it_does_not(fact: Fact) -> None:
    assert fact.bad, fact.id
    assert fact.good, fact.id
