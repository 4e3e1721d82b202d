"""Questions of readers of the sources: which count, what answers them, and how the search is scored."""

from pathlib import Path

import pytest
from covered import WEIGHTS, kept, listed
from covering.asking import NEAR, Question, Score, questions, score

from workings.catalogue.search import find, perhaps
from workings.errors import UserError
from workings.results.published import published

MISSING = WEIGHTS.replace('"agrees"', '"missing"').replace('entry = "weights-bytes"\n', "")
ASKED = "bytes of all the weights"


def asked(folder: Path, table: str, matches: str | None = WEIGHTS) -> list[Question]:
    """The questions that count, of a table beside one list."""
    kept(folder, listed("weights"), matches)
    (folder / "questions.tsv").write_text(table, encoding="utf-8")
    return list(questions(folder))


def test_a_question_is_answered_by_the_entry_that_its_formula_is_matched_with(tmp_path: Path) -> None:
    assert asked(tmp_path, f"paper\tweights\t{ASKED}\n") == [
        Question(1, "paper", ASKED, frozenset({"weights-bytes"}))
    ]


def test_what_the_catalogue_has_in_part_counts_and_what_it_lacks_does_not(tmp_path: Path) -> None:
    table = f"paper\tweights\t{ASKED}\n"
    part = WEIGHTS.replace('"agrees"', '"part"')
    assert [one.row for one in asked(tmp_path, table, part)] == [1]
    assert asked(tmp_path, table, MISSING) == []


def test_a_question_keeps_its_line_of_the_table(tmp_path: Path) -> None:
    more = MISSING.replace('formula = "weights"', 'formula = "other"')
    kept(tmp_path, listed("weights", "other"), WEIGHTS + more)
    lines = ("paper\tother\twhat is not there", f"paper\tweights\t{ASKED}")
    (tmp_path / "questions.tsv").write_text("\n".join(lines), encoding="utf-8")
    assert [one.row for one in questions(tmp_path)] == [2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("paper\tweights", "questions.tsv: found 2 columns in line 2, expected 3"),
        ("paper\tweights\ta\tb", "questions.tsv: found 4 columns in line 2, expected 3"),
        ("paper\tbiases\ta", "questions.tsv: found paper biases in line 2, expected a match of it"),
        ("book\tweights\ta", "questions.tsv: found book weights in line 2, expected a match of it"),
    ],
)
def test_a_line_that_names_no_match_is_refused_with_its_place(
    tmp_path: Path, line: str, said: str
) -> None:
    with pytest.raises(UserError) as error:
        asked(tmp_path, f"paper\tweights\t{ASKED}\n{line}\n")
    assert str(error.value) == said


def test_the_rank_is_the_place_of_the_first_right_answer_and_0_where_none_is_near() -> None:
    found = [one.entry.id for one in find(ASKED, NEAR + 1)]
    assert len(found) == NEAR + 1
    ranks = [Question(1, "zero", ASKED, frozenset({id_})).rank for id_ in found]
    assert ranks == [1, 2, 3, 4, 5, 0]
    assert Question(1, "zero", ASKED, frozenset({found[3], found[1]})).rank == 2
    assert Question(1, "zero", ASKED, frozenset({"nothing-of-the-kind"})).rank == 0


def test_an_answer_may_be_named_as_perhaps_near_where_none_is_surely() -> None:
    foreign = "retrieval by vector similarity of documents in a ring"
    named = [one.entry.id for one in perhaps(foreign)]
    assert named
    assert not find(foreign, NEAR)
    made = [Question(1, "zero", foreign, frozenset({id_})) for id_ in (named[0], "nothing-of-the-kind")]
    assert str(score(made)).startswith("0 of 2 first, 0 within 5, 1 more named as perhaps near; ")


def test_where_the_source_is_named_its_formulas_alone_are_asked() -> None:
    inside = [one.formula.ids for one in published("zero", ASKED).formulas]
    made = [Question(1, "zero", ASKED, frozenset(ids)) for ids in (inside[0], ("nothing-of-the-kind",))]
    assert [one.in_source for one in made] == [1, 0]


def test_a_score_counts_first_answers_among_near_ones() -> None:
    found = [one.entry.id for one in find(ASKED, NEAR)]
    made = [
        Question(1, "zero", ASKED, frozenset({id_}))
        for id_ in (found[0], found[2], "nothing-of-the-kind")
    ]
    ranks = [one.in_source for one in made]
    inside = (ranks.count(1), sum(map(bool, ranks)))
    assert score(made) == Score(3, 1, 2, 0, *inside)
    told = f"{inside[0]} and {inside[1]} where the source is named"
    assert str(score(made)) == f"1 of 3 first, 2 within 5; {told}"
    assert score([]) == Score(0, 0, 0, 0, 0, 0)
