"""Formulas and conditions: equal at exact points, in whatever letters they are written."""

from looping import each

from workings.grade.file import Answer, KeyFile, Part
from workings.grade.graded import GradedAnswer
from workings.grade.grading import grade_document
from workings.grade.keys import work_out
from workings.reading import read_document


def graded(answer: Answer, text: str) -> GradedAnswer:
    key = work_out(
        "key.toml", KeyFile(title="One", scenario="xxl-220b", part=(Part(id="1", answer=(answer,)),))
    )
    (part,) = grade_document(read_document("ann.md", f"## 1\n\n{text}\n"), key).parts
    return part.answers[0]


MEMORY = Answer(id="m", words="memory", marks=2, kind="formula", derivation="fsdp-memory")
FITS = Answer(id="f", words="fits", marks=2, kind="condition", derivation="fsdp-fits")
OWN = Answer(id="o", words="bytes", marks=2, kind="formula", formula="2*(N - 1)/N*S",
             letters={"N": "ranks of the ring", "S": "bytes of the message"})  # fmt: skip
OWN_CONDITION = Answer(id="c", words="when", marks=2, kind="condition", formula="N*B > C")


@each(
    "text",
    ["M = S/N + A/2N + A/2", "$M = \\frac{1}{N}(S + \\frac{A}{2}) + \\frac{A}{2}$",
     "M = 16 P/N + A/2 (1 + 1/N)",
     "Let p be the number of devices. Then M = S/p + A/2 + A/(2p).", "`(S + A/2)/N + A/2`",
     "The state W is sharded, half of the activations X too: $$M = (W + X/2)/N + X/2$$"],
)  # fmt: skip
def test_a_formula_is_right_in_any_form_and_letters(text: str) -> None:
    assert graded(MEMORY, text).verdict == "right"


@each("text", ["M = S/N + A/N", "M = (S + A)/N + A/2", "M = S/N + A/2", "M = 2S/N + A/(2N) + A/2"])
def test_another_formula_is_wrong(text: str) -> None:
    assert graded(MEMORY, text).verdict == "wrong"


@each("text", ["M = S/N + A/2 or M = S/N + A/(2N) + A/2", "M = f(x, y)", "M = x + y + z"])
def test_what_is_offered_for_choice_or_cannot_be_read_is_unsure(text: str) -> None:
    assert graded(MEMORY, text).verdict in ("unsure", "no answer found")


def test_own_words_for_a_letter_win_over_its_name() -> None:
    text = "Let S be the saved activations and A the model state. M = A/N + S/(2N) + S/2"
    assert graded(MEMORY, text).verdict == "right"
    assert graded(MEMORY, text.partition(". ")[2]).verdict == "wrong"


def test_a_formula_of_the_key_needs_no_entry_of_the_catalogue() -> None:
    assert graded(OWN, "V = 2 S (N-1)/N").verdict == "right"
    assert graded(OWN, "With k ranks: V = 2 S (k - 1)/k").verdict == "right"
    assert graded(OWN, "V = 2 S (N+1)/N").verdict == "wrong"


@each(
    "text, verdict",
    [("N > (S + A/2)/(M_max - A/2)", "right"), ("S/N + A/2 + A/(2N) < M_max", "right"),
     ("$M_{max} > \\frac{S}{N} + \\frac{A}{2N} + \\frac{A}{2}$", "right"),
     ("N < (S + A/2)/(M_max - A/2)", "wrong"), ("N > S/(M_max - A/2)", "wrong")],
)  # fmt: skip
def test_a_condition_is_right_if_it_is_true_at_the_same_points(text: str, verdict: str) -> None:
    assert graded(FITS, text).verdict == verdict


def test_a_condition_of_the_key_needs_no_entry_of_the_catalogue() -> None:
    assert graded(OWN_CONDITION, "$B > C/N$").verdict == "right"
    assert graded(OWN_CONDITION, "$C/B < N$").verdict == "right"
    assert graded(OWN_CONDITION, "$B > C$").verdict != "right"
