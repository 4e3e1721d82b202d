"""Entries are found by what people ask; what the catalogue does not have is not found."""

import re
from pathlib import Path

import pytest

from workings import catalogue
from workings.catalogue import search
from workings.catalogue.search import find
from workings.catalogue.wording import idle
from workings.results.found import FindResult
from workings.results.found import find as found_for

TRAINING = Path(__file__).parents[1] / "data" / "questions.tsv"


def first(question: str, most: int = 3) -> list[str]:
    return [found.entry.id for found in find(question, most)]


def asked() -> list[tuple[str, set[str]]]:
    """The questions that the search was made with, each with the ids that are right."""
    rows = (line.split("\t") for line in TRAINING.read_text(encoding="utf-8").splitlines())
    return [(question.removeprefix("! "), set(ids.split(",")) - {"-"}) for question, ids in rows]


def test_the_questions_it_was_made_with_are_answered() -> None:
    """A training score: it guards against getting worse, and says nothing of other questions.

    Three first contacts are among them: of 108, 84, 96 questions 93, 66, 83 had a right entry within
    three then; of 12, 16 and 24 without one 8, 11 and 20 found nothing. 151 are of neighbouring fields,
    of which the catalogue has had some since: of serving, electricity, prices, laws of loss and Mamba.
    """
    rows = asked()
    right = [bool(ids & set(first(question))) for question, ids in rows if ids]
    nothing = [not first(question) for question, ids in rows if not ids]
    assert (len(right), len(nothing)) == (795, 177)
    assert sum(right) >= 752
    assert sum(nothing) >= 149


def test_every_entry_is_found_by_what_it_is_called() -> None:
    """First by its id and its title, and by nearly all phrases; the rest are shared by neighbours."""
    assert all(what.phrases for what in catalogue.every())
    for what in catalogue.every():
        assert first(what.id, 1) == first(what.title.replace("`", ""), 1) == [what.id]
    called = [(phrase, w.id) for w in catalogue.every() for phrase in w.phrases]
    lost = [(phrase, id_) for phrase, id_ in called if id_ not in first(phrase)]
    assert len(lost) <= len(called) // 200, lost


def test_what_people_may_ask_is_asked_of_entries_that_there_are() -> None:
    rows = [line.split("\t") for line in search.ASKED_BY.read_text(encoding="utf-8").splitlines()]
    assert {id_ for id_, _ in rows} <= {what.id for what in catalogue.every()}
    near = [id_ in first(question, 5) for id_, question in rows[::40]]
    assert sum(near) >= 0.9 * len(near)


def test_every_word_of_an_id_or_a_title_finds_something() -> None:
    """But for those that say nothing by themselves: "hybrid" as well as "hybrid sharding"."""
    names = " ".join(f"{what.id} {what.title}".lower() for what in catalogue.every())
    words = set(re.findall(r"[a-z0-9]+", names)) - idle()
    assert {"hybrid", "compute", "worst"} <= words
    assert [word for word in sorted(words) if not first(word)] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("all-reduce on a ring", "allreduce on a ring"),
        ("FSDP memory per GPU", "zero-3 memory per device"),
        ("micro-batches in flight", "microbatches in flight"),
        ("MoE active params", "mixture of experts active parameters"),
    ],
)
def test_words_for_one_thing_find_the_same(one: str, other: str) -> None:
    assert first(one, 1) == first(other, 1)


def test_small_words_tell_what_is_asked_and_circumstances_do_not_hide_it() -> None:
    assert first("how long does a ring all-gather take", 1) == ["ring-all-gather-time"]
    assert first("how much does each rank send in a ring all-gather", 1) == ["ring-all-gather"]
    said = "we have rented sixteen racks for our team and my boss is asking me this today: "
    assert "pipeline-bubble" in first(f"{said} how large is the pipeline bubble over ideal time")


def test_plain_words_ask_for_the_general_entry_and_an_id_for_itself() -> None:
    for question in ("fsdp memory", "memory of FSDP", "FSDP memory per device", "zero-3 memory"):
        assert first(question, 1) == ["fsdp-device-memory"], question
    assert first("fsdp-memory", 1) == first(" FSDP-memory ", 1) == ["fsdp-memory"]


def test_who_asks_for_memory_is_not_told_what_is_sent() -> None:
    answers = {card.entry.id: card.answers for card in search._index()[0]}
    assert "memory" not in answers["zero-3-step-bytes"]  # its title says bytes
    assert "bytes" not in answers["fsdp-device-memory"]
    assert answers["model-state"] >= {"memory", "bytes"}  # its title says neither


@pytest.mark.parametrize("question", ["流水线气泡占理想时间的比例", "流水线 气泡"])
def test_chinese_finds_what_english_finds(question: str) -> None:
    assert "pipeline-bubble" in first(question)


@pytest.mark.parametrize(
    "question", ["", "   ", "?!", "the of and", "CLIP contrastive loss for retrieval", "🙂", "x" * 5000]
)
def test_what_says_nothing_or_asks_for_another_field_finds_nothing(question: str) -> None:
    assert first(question) == []


def test_in_a_chapter_only_its_entries_are_found() -> None:
    found: FindResult = found_for("time of a ring all-gather", "collectives")
    assert found.ids[0] == "ring-all-gather-time"
    assert {match.topic for match in found} == {"collectives"}


def test_words_in_place_of_an_id_name_what_may_be_meant() -> None:
    with pytest.raises(catalogue.UnknownDerivationError, match="compute-optimal"):
        catalogue.get("chinchilla")
