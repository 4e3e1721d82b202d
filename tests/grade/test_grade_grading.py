"""Hand-ins against the key of the 220B exercise: right, by another reading, wrong, in every format."""

from pathlib import Path

import pytest
from effort import calls_of

from workings.grade.graded import Graded, GradedAnswer
from workings.grade.grading import grade_document
from workings.grade.keys import load_key
from workings.reading import read_document, read_file

KEY = load_key("xxl-220b")
HAND_INS = Path(__file__).parent / "hand_ins"


def graded(name: str) -> Graded:
    return grade_document(read_file(HAND_INS / name), KEY)


def of_text(text: str, kind: str = "md") -> Graded:
    return grade_document(read_document("solution.md", text, kind), KEY)


def answer(found: Graded, part: str, id_: str = "devices") -> GradedAnswer:
    return next(a for p in found.parts if p.id == part for a in p.answers if a.id == id_)


def in_part_b(text: str) -> GradedAnswer:
    return answer(of_text(f"(a) Nothing.\n\n(b) {text}\n\n(c) Nothing."), "b")


@pytest.mark.parametrize(
    "name", ["right.md", "rounded.md", "gib.md", "chinese.md", "solution.tex", "notebook.ipynb"]
)
def test_a_right_hand_in_earns_all_marks(name: str) -> None:
    found = graded(name)
    assert {
        a.id: a.verdict for p in found.parts for a in p.answers if a.verdict not in ("right", "accepted")
    } == {}
    assert found.marks == found.most == 15


def test_the_answer_is_quoted_with_its_place_and_why_it_was_taken() -> None:
    found = answer(graded("right.md"), "b")
    assert (found.quote, found.place, found.how) == ("156", (19, 44), "bold")
    assert found.sure


def test_the_method_is_right_where_a_calculation_gives_the_value() -> None:
    found = answer(graded("right.md"), "b")
    assert (found.method, found.method_line) == ("right", 17)
    assert found.method_quote.startswith("\\frac{3517.58 + 71.874}")


def test_shown_rounding_is_an_accepted_reading_which_is_named() -> None:
    found = answer(graded("rounded.md"), "b")
    assert (found.verdict, found.quote) == ("accepted", "157 GPUs")
    assert "rounded 3,520 GB and 144 GB" in found.said


def test_gib_is_an_accepted_reading() -> None:
    found = graded("gib.md")
    assert answer(found, "a").said == "80 GiB each"
    assert answer(found, "b").said == "below 95 GiB"
    assert answer(found, "a", "state").verdict == "right"  # 3,276 GiB are 3,518 GB


def test_an_answer_off_by_a_thousand_is_wrong_and_the_first_bad_line_is_named() -> None:
    found = graded("off_by_thousand.md")
    state = answer(found, "a", "state")
    assert (state.verdict, state.method) == ("wrong", "right")
    assert state.said.startswith("off by 10^3")
    assert found.parts[0].first_bad is not None
    assert found.parts[0].first_bad.line == 2


def test_what_follows_from_an_earlier_slip_earns_half_the_marks() -> None:
    found = answer(graded("off_by_thousand.md"), "a")
    assert (found.verdict, found.quote, found.marks) == ("follows through", "43,970 GPUs", 1.0)
    assert "follows from 3,517,578 GB in line 2 in place of S" in found.said


def test_the_best_meshes_answer_is_recognised_on_the_wrong_mesh() -> None:
    found = answer(graded("wrong_mesh.md"), "c", "per-device")
    assert (found.verdict, found.marks, found.method) == ("known wrong", 0, "wrong")
    assert "the best mesh's answer on the wrong mesh" in found.said


def test_a_cell_of_a_notebook_is_named() -> None:
    assert answer(graded("notebook.ipynb"), "a").cell == 2


def test_a_part_that_is_missing_has_no_answer() -> None:
    found = answer(of_text("(a) So we need 44 devices."), "b")
    assert (found.verdict, found.place, found.marks) == ("no answer found", None, 0)


def test_words_without_a_figure_are_no_answer() -> None:
    assert in_part_b("It is easy to see.").verdict == "no answer found"


def test_figures_of_the_exercise_are_no_answer() -> None:
    assert (
        in_part_b("The limit is 95 GB, and there are 4 sequences of 2048 tokens.").verdict
        == "no answer found"
    )


def test_a_wrong_figure_that_is_stressed_counts_before_a_right_one_in_passing() -> None:
    found = in_part_b("With 156 devices I do not trust it. **N = 160**")
    assert (found.verdict, found.quote) == ("wrong", "160")


def test_a_right_figure_in_an_aside_is_no_answer() -> None:
    found = in_part_b("So N = 155 (156 would be wasteful).")
    assert (found.verdict, found.quote) == ("wrong", "155")


def test_a_box_counts_before_bold() -> None:
    assert in_part_b("**N = 155** is too small. $$\\boxed{N = 156}$$").verdict == "right"


def test_where_two_figures_are_given_for_choice_none_is_taken() -> None:
    found = in_part_b("Need **156 devices**, or with few tokens **40 devices**.")
    assert (found.verdict, found.marks, found.sure) == ("unsure", 0, False)
    assert found.others == (("40 devices", 3),)


def test_a_count_is_not_right_by_rounding() -> None:
    assert in_part_b("N = 155.9").verdict == "wrong"
    assert in_part_b("So about 200 devices.").verdict == "wrong"


def in_part_c(text: str) -> list[tuple[str, str]]:
    """What is said of the batch overall and of that per device, with the figure taken for each."""
    found = of_text(f"(c) {text}")
    return [
        (a.verdict, a.quote) for a in (answer(found, "c", "overall"), answer(found, "c", "per-device"))
    ]


@pytest.mark.parametrize(
    "text",
    ["We get 20,444.4 tokens overall. A device needs 850 tokens.",
     "A device needs 850 tokens, and overall we need 20,444.4 tokens.",
     "Overall, on 16 by 4, we get **20,444.4 tokens** (so 850 tokens per chip).",
     "\n\n| | batch |\n|---|---|\n| overall | **20,444.4 tokens** |\n| per device | **850 tokens** |"],
    ids=["sentences", "clauses", "parenthesis", "table"],
)  # fmt: skip
def test_a_wrong_figure_answers_the_question_whose_words_stand_with_it(text: str) -> None:
    overall, per_device = in_part_c(text)
    assert overall[0] == "right"
    assert per_device == ("wrong", "850 tokens")


def test_a_wrong_figure_is_not_taken_for_the_answer_to_another_question() -> None:
    assert in_part_c("A device needs 850 tokens.")[0] == ("no answer found", "")
    assert in_part_c("We need 54,400 tokens.")[1] == ("no answer found", "")


def test_swapped_answers_are_both_wrong() -> None:
    swapped = in_part_c("A device needs 20,444.4 tokens. Overall 319.4 tokens are needed.")
    assert swapped == [("wrong", "319.4 tokens"), ("wrong", "20,444.4 tokens")]


def test_right_answers_with_the_words_behind_them_are_right() -> None:
    assert [verdict for verdict, _ in in_part_c("So 20,445 tokens, 319.4 per device.")] == [
        "accepted",
        "right",
    ]


def test_twice_the_figures_with_the_words_of_both_questions_take_about_twice_the_work() -> None:
    def work(figures: int) -> int:
        text = " ".join(f"Overall {number} tokens per device." for number in range(300, 300 + figures))
        return calls_of(lambda: in_part_c(text))

    work(2)  # what is imported late, and caches
    small, large = work(30), work(60)
    assert large < 2.3 * small, (small, large)


def test_an_earlier_answer_need_not_be_written_again_for_what_follows_from_it() -> None:
    found = of_text("(a) The total state is S = 3,000 GB.\n\n(b) So **N = 133**.")
    assert answer(found, "a", "state").verdict == "wrong"
    followed = answer(found, "b")
    assert (followed.verdict, followed.marks) == ("follows through", 2.0)
    assert followed.said.startswith("follows from 3,000 GB in line 1 in place of S")


def test_another_figure_does_not_follow_from_an_earlier_answer() -> None:
    found = of_text("(a) The total state is S = 3,000 GB.\n\n(b) So **N = 137**.")
    assert answer(found, "b").verdict == "wrong"


def test_a_share_follows_from_a_wrong_whole_even_where_its_letter_cancels_later() -> None:
    assert in_part_c("We need B = 54,400 tokens overall. So a device needs 850 tokens.") == [
        ("wrong", "54,400 tokens"),
        ("follows through", "850 tokens"),
    ]


def test_a_right_calculation_with_a_slip_earns_half_the_marks() -> None:
    found = in_part_b("N > (3520 + 72)/(95 - 72) = 165.2.")
    assert (found.verdict, found.method, found.marks) == ("wrong", "right", 2.0)


def test_rounding_a_figure_that_is_flagged_follows_through() -> None:
    found = in_part_b("N > (3520 + 72)/(95 - 72) = 165.2, so N = 166.")
    assert (found.verdict, found.method, found.marks) == ("follows through", "right", 2.0)
    assert found.said.startswith("follows from 165.2 in line 3 in place of N_fit")


def test_a_calculation_without_a_slip_that_leads_elsewhere_is_a_wrong_method() -> None:
    found = in_part_b("N = 3520/23 = 153")
    assert (found.verdict, found.method, found.marks) == ("wrong", "wrong", 0)


def test_what_a_program_calculates_is_a_method() -> None:
    code = "```python\nS, A = 3517.58, 143.75\nn = (S + A / 2) / (95 - A / 2)  # below 95 GB\n```\n\n"
    found = in_part_b(f"\n\n{code}So N = 150.")
    assert (found.verdict, found.method, found.method_quote) == (
        "wrong",
        "right",
        "(S + A / 2) / (95 - A / 2)",
    )


def test_a_figure_that_a_program_only_holds_is_no_method() -> None:
    assert in_part_b("\n\n```python\nn = 156\nprint(n)\n```\n\nSo N = 150.").method == "not judged"


def test_a_formula_is_compared_with_the_catalogues() -> None:
    found = in_part_b("We need $N > \\frac{2 S + A}{2 M - A}$ with M = 95 GB.")
    assert (found.method, found.method_said) == ("right", "this is a formula of fsdp-fits")


def test_a_formula_that_differs_is_not_called_right() -> None:
    assert in_part_b("We need $N > \\frac{2 S + A}{M - A}$ with M = 95 GB.").method == "not judged"


@pytest.mark.parametrize(
    "heads",
    [("(a)", "(b)", "(c)"), ("a)", "b)", "c)"), ("**(a)**", "**(b)**", "**(c)**"),
     ("## Part A", "## Part B", "## Part C"), ("Question 1a", "Question 1b", "Question 1c"),
     ("### Problem 2(a)", "### Problem 2(b)", "### Problem 2(c)"), ("1.", "2.", "3."),
     ("（a）", "（b）", "（c）"), ("# 问题 一", "# 问题 二", "# 问题 三"), ("(i)", "(ii)", "(iii)"),
     ("## a", "## b", "## c"), ("Q1a", "Q1b", "Q1c"), ("Lösung a)", "Lösung b)", "Lösung c)"),
     ("①", "②", "③"), ("Part-a", "Part-b", "Part-c"), ("[a]", "[b]", "[c]"), ("i)", "ii)", "iii)"),
     ("設問a", "設問b", "設問c"),
     ("## One device", "## FSDP sharding", "## Compute-bound batch")],
)  # fmt: skip
def test_parts_are_found_by_their_marks(heads: tuple[str, str, str]) -> None:
    texts = ("44 devices.", "156 devices.", "20,445 tokens overall.")
    page = "\n\n".join(f"{head}\n\nSo {text}" if head[0] == "#" else f"{head} So {text}"
                       for head, text in zip(heads, texts, strict=True))  # fmt: skip
    found = of_text(page)
    assert [p.answers[-1 if p.id != "c" else 0].verdict for p in found.parts] == [
        "right",
        "right",
        "accepted",
    ]
    assert all(part.marked for part in found.parts)


def test_a_word_that_begins_like_the_name_of_a_part_begins_none() -> None:
    found = of_text("(b) We shard.\n\nAdd a margin: exactly nothing.\n\nSo N = 156 devices.")
    assert answer(found, "b").verdict == "right"


def test_without_marks_the_whole_document_is_searched_and_doubt_is_said() -> None:
    found = of_text("The state needs 44 devices of 80 GB.\n\nSo **N = 156**.")
    assert not any(part.marked for part in found.parts)
    assert (answer(found, "b").verdict, answer(found, "b").sure) == ("right", False)


def test_a_comment_of_a_student_hides_nothing() -> None:
    found = of_text("(a) Then\n\n2 + 2 = 5 <!-- workings: ignore -->")
    assert found.parts[0].first_bad is not None


@pytest.mark.parametrize(
    "text",
    ["**" * 5_000, "\\boxed{" * 500, "(a) " * 500, "1 = " * 200, "| 1 " * 200,
     "\\item " * 500, "(b) N = 9^9^9^9^9", "(b) N = " + "9" * 500, "(b) N = 1e999999"],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_hostile_text_is_graded_like_any_other(text: str) -> None:
    assert of_text(text).marks == 0


def test_a_figure_in_passing_is_not_called_wrong() -> None:
    assert in_part_b("Some clusters have 100 devices in a row.").verdict == "no answer found"
