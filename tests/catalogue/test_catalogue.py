"""The derivations there are: complete, found by id, in the order of their use."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from looping import each

from workings import catalogue
from workings.catalogue import UnknownDerivationError
from workings.derivation import Derivation
from workings.derivations import CHAPTERS
from workings.formula import names_in, parse_formula
from workings.vocabulary import concept_named, concepts

ALL = catalogue.every()


def test_the_text_of_the_modules_tells_what_they_declare() -> None:
    assert {what.id: what.module for what in ALL} == {
        id_: f"workings.derivations.{module}" for id_, module in catalogue.ids().items()
    }
    assert len(ALL) >= 400


def test_every_chapter_and_every_module_of_one_stands_in_the_contents() -> None:
    assert set(catalogue.topics()) == set(CHAPTERS)
    for topic in CHAPTERS:
        sections = catalogue.sections(topic)
        named = import_module(f"workings.derivations.{topic}").SECTIONS
        assert tuple(section.name for section in sections) == named, topic
        assert all(section.entries and section.title for section in sections)


def test_topics_are_the_chapters_and_divide_the_catalogue() -> None:
    by_topic = [what.id for topic in catalogue.topics() for what in catalogue.every(topic)]
    assert by_topic == [what.id for what in ALL]
    assert len(set(by_topic)) == len(by_topic)
    for what in ALL:
        assert what.topic.replace(" ", "_") == catalogue.ids()[what.id].partition(".")[0]


@pytest.mark.parametrize(
    ("typo", "hint"),
    [
        ("ring-allreduce", "ring-all-reduce"),
        ("fsdp-memroy", "fsdp-memory"),
        ("zzz", "workings list"),
    ],
)
def test_an_unknown_id_names_the_nearest(typo: str, hint: str) -> None:
    with pytest.raises(UnknownDerivationError, match=f"no derivation '{typo}'.*{hint}"):
        catalogue.get(typo)


@pytest.mark.parametrize("id_", ["../x", "", "_letters", "ring_all_reduce", "__init__", "a/b"])
def test_an_id_is_no_path(id_: str) -> None:
    with pytest.raises(UnknownDerivationError):
        catalogue.get(id_)


@each("what", ALL, ids=lambda d: d.id)
def test_a_derivation_is_complete(what: Derivation) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", what.id)
    assert what.title
    assert what.title[0].isupper()
    assert all(line.reason for line in what.lines), "every line has its reason"
    assert what.convention or what.leaves_out, "it says what it assumes or leaves out"
    assert what.source.url.startswith("https://")
    assert what.source.where
    assert what.counted, "an oracle says what it counts"
    assert what.oracle.__module__.startswith("workings.derivations")


@each("what", ALL, ids=lambda d: d.id)
def test_every_letter_of_a_chain_is_declared_and_every_used_result_appears(
    what: Derivation,
) -> None:
    known = set(what.letters) | set(what.uses)
    mentioned: set[str] = set()
    for line in what.lines:
        mentioned |= set(names_in(line.formula))
        mentioned |= set(names_in(line.at)) if line.at else set()
    assert mentioned <= known
    conditions = " ".join(what.given)
    for name in what.uses:
        assert name in mentioned or name in conditions, f"{name} is used nowhere"
    assert not set(what.letters) & set(what.uses)
    assert what.head not in what.letters


def test_no_two_concepts_share_a_name_and_every_one_can_be_found() -> None:
    names = [concept.name for concept in concepts()]
    assert len(names) == len(set(names))
    for concept in concepts():
        assert concept_named(concept.name) is concept
        assert concept.meaning
        assert concept.glyph
        kin = concept.kin
        assert kin is None or kin in catalogue.ids() or concept_named(kin) is not None
    assert concept_named("nothing of the kind") is None


def test_every_letter_stands_for_a_concept_of_the_vocabulary() -> None:
    for what in ALL:
        for concept in what.letters.values():
            assert concept_named(concept.name) is concept


@each("what", ALL, ids=lambda d: d.id)
def test_the_formulas_among_its_words_can_be_read(what: Derivation) -> None:
    texts = [what.title, what.convention, what.leaves_out, *(line.reason for line in what.lines)]
    texts += [text for row in what.ledger for text in (row.name, row.reason)]
    for text in texts:
        pieces = text.split("`")
        assert len(pieces) % 2 == 1, f"unpaired backtick in {text!r}"
        for piece in pieces[1::2]:
            parse_formula(piece)


@pytest.mark.parametrize("topic", catalogue.topics())
def test_a_topic_is_introduced_and_stands_on_the_catalogue_page(topic: str) -> None:
    assert len(catalogue.introduction(topic).split()) >= 12
    page = (Path(__file__).parents[2] / "reports/catalogue/source.md").read_text(encoding="utf-8")
    assert f"```{{topic}} {topic.replace('_', ' ')}\n" in page


def test_many_entries_are_found_without_reading_all_texts_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_for: list[str] = []
    monkeypatch.setattr(catalogue, "_declaring", looked_for.append)
    catalogue.get.cache_clear()
    catalogue.ids.cache_clear()
    assert [catalogue.get(what.id) for what in ALL[:50]] == list(ALL[:50])
    assert len(looked_for) <= catalogue.SINGLE
