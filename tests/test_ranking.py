"""Words to ids of derivations, the best first."""

from workings import catalogue
from workings.ranking import ranked


def test_without_words_everything_is_found() -> None:
    assert set(ranked("")) == {w.id for w in catalogue.every()}
    assert set(ranked("", "collectives")) == {w.id for w in catalogue.every("collectives")}


def test_every_word_stands_in_id_or_title_in_any_case() -> None:
    found = ranked("RING time")
    assert "ring-all-reduce-time" in found
    for id_ in found:
        text = f"{id_} {catalogue.get(id_).title}".lower()
        assert "ring" in text
        assert "time" in text
    others = {w.id for w in catalogue.every()} - set(found)
    assert not any("ring" in id_ and "time" in id_ for id_ in others)


def test_ids_that_say_the_words_come_before_titles_that_do() -> None:
    found = ranked("ring")
    in_id = ["ring" in id_ for id_ in found]
    assert in_id == sorted(in_id, reverse=True)
    assert True in in_id
    assert False in in_id


def test_words_that_nothing_has_find_nothing() -> None:
    assert ranked("ring xyzzy") == ()
