"""Letters of a page that stand side by side, and what may be a letter or a unit."""

from workings.claims.page import page_of
from workings.marks.tree import letters, shape_of
from workings.reading.reading import read_document


def sides(text: str) -> list[set[str]]:
    """The letters of the last chain's sides."""
    claim = page_of(read_document("page.md", text)).chains[-1]
    return [set(letters(claim.left)), set(letters(claim.right))]


def test_letters_of_the_page_side_by_side_are_factors() -> None:
    known = "a = 32, s = 2048, h = 4096, P = 9, G = 8, T = 7, V = 5, d = 6\n\n"
    for text, wanted in (
        ("5as/h = 80", {"a", "s", "h"}),
        ("$2Vd = 3$", {"V", "d"}),
        ("$Vd = 30$", {"V", "d"}),
        ("T/GP = 1", {"T", "G", "P"}),
        ("T/(GP) = 1", {"T", "G", "P"}),
        ("$\\tau = 3$", {"τ"}),
        ("TP = 8", {"TP"}),
        ("GPUs × 8 as h = 3", {"h"}),
    ):
        assert sides(known + text)[0] == wanted, text


def test_a_quotient_by_letters_side_by_side_is_by_both() -> None:
    page = page_of(read_document("page.md", "T = 64, G = 4, P = 2\n\nT/GP = 8"))
    assert shape_of(page.chains[-1].left) == "(/ T (* G P))"


def test_what_may_be_a_letter_is_read_as_a_unit_too() -> None:
    page = page_of(read_document("page.md", "B = 64\n\n2 B × 3e9 = 6 GB"))
    claim = page.chains[-1]
    other = page.otherwise(claim)
    assert other is not None
    assert [letters(claim.left), letters(other.left)] == [("B",), ()]
    assert sides("s = 8192\n\nT = 944,938 tokens/s") == [{"T"}, set()]


def test_the_letter_of_a_part_is_no_factor() -> None:
    assert sides("a = 3\n\n(a) N = 7e9") == [{"N"}, set()]


def shapes(text: str) -> list[str]:
    """The left side of each chain, with whether nothing else can be meant."""
    chains = page_of(read_document("page.md", text)).chains
    return [shape_of(claim.left) + ("" if claim.sure else " ?") for claim in chains]


def test_a_calculation_goes_on_from_the_display_above_it() -> None:
    display = "$$557.8 \\cdot 2 = 1115.6$$\n\n"
    assert shapes(display + "Times 60 is 66,936.")[1:] == ["(* 5578/5 60)"]
    assert shapes(display + "$$= 1.1156 \\times 10^{3}$$")[1:] == ["5578/5"]
    assert shapes(display + "We train it. Times 60 is much.")[1:] == []


def test_a_unit_is_not_cut_off_where_another_amount_follows() -> None:
    assert shapes("The pool shrinks by 7 × 13 = 91 GB to 340 GB.") == []
    assert shapes("The pool shrinks by $7 \\cdot 13 \\approx 91$ GB to $340$ GB.") == []
    assert shapes("The pool shrinks by 7 × 13 = 91 GB.") == ["(* 7 13)"]


def test_two_equations_in_one_clause_are_no_chain() -> None:
    shifts = "w = 6 und k = 3: die Zahl der Schritte steigt von w - 1 = 5 Schritten auf wk - 1 = 17."
    for text in (
        shifts.replace("auf", "also"),
        "跳数由 g − 1 = 5 跳增加到 gw − 1 = 17 跳。",
        "Le pas passe de g − 1 = 5 sauts vers gw − 1 = 17 sauts.",
        "The ring of g - 1 = 5 hops becomes gw - 1 = 17 hops.",
    ):
        assert not any("5" in shape and "?" not in shape for shape in shapes(text)), text
    assert "(* 512 4096)" in shapes("16 × 32 = 512 whole sequences × 4096 = 2.1M tokens")


def test_a_count_in_a_bracket_is_said_again_and_a_bracket_may_never_close() -> None:
    assert shapes("It has 4,096 tokens (2^12) and 1,024 cards (128 × 8).") == ["4096", "1024 ?"]
    assert shapes("72 KiB (576 × 2 × 64 = 73,728 bytes; 36 is FP8)") == ["(* (* 576 2) 64)"]
    assert shapes("It has 8 × 4 (2 + 3) parts.") == []
