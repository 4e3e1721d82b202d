"""Where the parts of a hand-in begin, if a heading, a mark and a sentence each seem to begin one."""

from looping import each

from workings.grade.grading import grade_document
from workings.grade.keys import load_key
from workings.reading import read_document

KEY = load_key("xxl-220b")
OF_A = "The state is 3517.6 GB, saved activations 143.75 GB, 44 devices."


def graded(text: str) -> dict[tuple[str, str], str]:
    """The verdict on each answer, by part and answer."""
    found = grade_document(read_document("solution.md", text), KEY)
    return {(p.id, a.id): a.verdict for p in found.parts for a in p.answers}


def test_a_sentence_in_the_words_of_another_part_begins_none_below_a_marked_heading() -> None:
    found = graded(
        f"## (a)\n{OF_A}\n\n## (b)\nOne device holds (3517.6 + 71.87)/N + 71.87 GB, so N = 156."
    )
    assert found["b", "devices"] == found["a", "devices"] == "right"


def test_nor_does_it_between_parts_that_are_marked_in_the_text() -> None:
    found = graded(f"(a) {OF_A}\n\n(b) Some words.\n\nOne device holds 95 GB, so N = 156.")
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


def test_a_list_inside_a_part_with_a_marked_heading_begins_no_part() -> None:
    found = graded(
        f"## Part (a)\n\n{OF_A}\n\n## Part (b)\n\n(a) We shard the state.\n\n(b) We shard half.\n\n"
        "(d) We solve it.\n\nSo N = 156."
    )
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


def test_the_words_of_the_key_begin_a_part_where_nothing_else_does() -> None:
    found = graded(f"One device:\n\n{OF_A}\n\nFully sharded:\n\nSo N = 156.")
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


def test_a_part_without_a_mark_of_its_own_may_begin_with_a_heading_in_the_keys_words() -> None:
    found = graded(f"## (a)\n\n{OF_A}\n\n## Fully sharded\n\nSo N = 156.")
    assert (found["a", "devices"], found["b", "devices"]) == ("right", "right")


IN_ORDER = (
    "The state is 3517.6 GB, 44 devices.",
    "So N = 156.",
    "Overall 20,445 tokens, 319.4 tokens per chip.",
)


@each(
    "before, between",
    [("(a) ", "\n(b) "), ("Answers: (a) ", " (b) "), ("**a)** ", "  \n**b)** "), ("a. ", "\nb. ")],
)
def test_parts_may_begin_inside_a_paragraph(before: str, between: str) -> None:
    marks = (before, between, between.replace("b", "c"))
    page = "".join(mark + text for mark, text in zip(marks, IN_ORDER, strict=True))
    found = grade_document(read_document("solution.md", page), KEY)
    assert [part.marks for part in found.parts] == [4, 4, 6]  # all but the activations
    assert all(part.marked and part.lines and part.lines[0] == part.lines[1] for part in found.parts)


def test_parts_may_be_the_rows_of_a_table() -> None:
    rows = "".join(f"| ({part}) | {text} |\n" for part, text in zip("abc", IN_ORDER, strict=True))
    found = grade_document(read_document("solution.md", f"| part | answer |\n|---|---|\n{rows}"), KEY)
    assert [(part.marks, part.marked) for part in found.parts] == [(4, True), (4, True), (6, True)]


def test_a_mark_that_a_long_line_is_broken_before_begins_no_part() -> None:
    long = "We shard the state and half of the activations over all the devices, exactly as in part"
    found = graded(f"(b) {long}\n(a) above, and so N = 156.")
    assert found["b", "devices"] == "right"
    assert found["a", "devices"] == "no answer found"
