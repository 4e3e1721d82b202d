"""Where statements begin and end: between relations, over lines, with prose around them."""

import pytest
from judged_pages import page, verdicts
from looping import each

from workings.check.chains import Chain, chains_in
from workings.check.symbols import symbols_of
from workings.formula.plain import plain


def chains(text: str, name: str = "page.md") -> list[Chain]:
    document = page(text, name)
    symbols = symbols_of(document.blocks)
    return [chain for block in document.blocks for chain in chains_in(block, symbols)]


def sides(text: str, name: str = "page.md") -> list[list[str]]:
    """The sides of every chain as they were read."""
    return [
        [plain(m.expression) if m.expression is not None else "?" for m in chain.members]
        for chain in chains(text, name)
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("So the model needs 2 × 70 = 140 GB of memory.", ["2*70", "140[GB]"]),
        ("We get $2 \\cdot 70 = 140$ for it.", ["2*70", "140"]),
        ("即 8 × 80 = 640 GB，很多。", ["8*80", "640[GB]"]),
        ("a total of 4 × 8 = 32 heads", ["4*8", "32"]),
        ("Step 3: 4 + 5 = 9, as said", ["4 + 5", "9"]),
        ("In 2024 we had 5 + 5 = 10.", ["5 + 5", "10"]),
        ("- **Params:** 4 × 4096 = 16384", ["4*4096", "16384"]),
        ("✅ 3 + 4 = 7", ["3 + 4", "7"]),
        ("With hidden size $D = 4096$ here", ["D", "4096"]),
        ("with hidden size D = 4096 and D = 4", ["D", "4096"]),
        ("设 $N = 64$。", ["N", "64"]),
        ("312 TFLOPS peak × 0.4 util = 125 TFLOPS (plenty)", ["312[TFLOPs]*0.4", "125[TFLOPs]"]),
        ("$40 - 1.12 \\approx 38.88\\,\\text{GiB}$（其中 40 为预算）", ["40 - 1.12", "38.88[GiB]"]),
    ],
)
def test_a_statement_is_found_in_its_sentence(text: str, read: list[str]) -> None:
    assert sides(text)[0] == read


def test_a_chain_has_a_step_for_every_relation() -> None:
    assert sides("x = 2 * 3 = 6 ≈ 7 < 8") == [["x", "2*3", "6", "7", "8"]]


def test_a_chain_goes_on_over_lines_that_begin_with_a_relation() -> None:
    rows = "N &= 12 L d^2 \\\\ &= 12 \\cdot 2 \\cdot 9 \\\\ &\\approx 216"
    display = f"$$\\begin{{aligned}} {rows} \\end{{aligned}}$$"
    assert sides(display) == [["N", "12*L*d^2", "12*2*9", "216"]]
    assert sides("x = 2 * 3\n= 6") == [["x", "2*3", "6"]]


def test_lines_of_a_tex_file_are_read_alike() -> None:
    body = "\\begin{align*} a &= 3 + 4 \\\\ &= 7 \\end{align*}"
    assert sides(f"\\begin{{document}}{body}\\end{{document}}", "page.tex") == [["a", "3 + 4", "7"]]


def test_statements_side_by_side_are_apart() -> None:
    assert sides("3 + 4 = 7, 2 + 2 = 4; 1 + 1 = 2") == [["3 + 4", "7"], ["2 + 2", "4"], ["1 + 1", "2"]]


def test_a_relation_with_nothing_before_it_is_no_statement() -> None:
    assert sides("> 8 GPUs") == []


def test_remarks_in_their_own_column_are_left_out() -> None:
    display = "$$\\begin{aligned} a &= 3 + 4 && \\text{both} \\\\ &= 7 \\end{aligned}$$"
    assert sides(display) == [["a", "3 + 4", "7"]]


def test_both_readings_of_a_slash_and_of_a_last_bracket_are_kept() -> None:
    chain = chains("$8/nX = 3$")[0]
    assert {plain(e) for e in chain.members[0].alternatives} == {"8/n*X", "8/(n*X)"}
    chain = chains("100 * 1.1 = 110 (+10%)")[0]
    assert "110" in {plain(e) for e in chain.members[1].alternatives}


def test_a_figure_said_to_be_rough_is_remembered_as_such() -> None:
    assert [m.about for m in chains("2 * 70 = about 140 GB")[0].members] == [False, True]
    assert [m.about for m in chains("2 * 70 = 140 GB")[0].members] == [False, False]


HALVES = (
    "The value 2,5 = 5/2 is German.",
    "All of 5/2 = 2,5 too.",
    "10^6 = 1 000 000 bytes",
    "1 000 000 = 10^6",
    "1.000.000 = 10^6",
    "Total 640 GB = 8 × H100 80GB",
    "$7 \\bmod 4 = 3$",
    "7 mod 4 = 3",
    "7 % 4 = 3",
    "2 ± 1 = 3",
    "$\\log_{10} 1000 = 3$",
    "$\\ln 8 = 2.08$",
    "log(8) = 2.08",
    "ln 8 = 2.08",
    "2:1 = 2",
    "12:30 = noon",
    "$\\sum_i 1 = 5$",
    "$\\prod_{i=1}^{3} i = 6$",
    "$\\int_0^1 x = 0.5$",
    "half of 10 = 5",
    "10 less 3 = 7",
    "10 times 3 = 30",
    "30 = 10 times 3",
    "10 plus 3 = 13",
    "twice 4 = 8",
    "10 divided by 5 = 2",
    "5 = 10 divided by 2",
    "20% of 50 = 10",
    "10 = 20% of 50",
    "5! = 120",
    "120 = 5!",
    "3! * 2 = 12",
    "10 out of 50 = 20%",
    "10 + 2 = 12-15 GB",
    "the time ≈ 3-4 days",
    "2.5 × 2 = 4 to 6 days",
    "8 × 700 W = 5.6 kW",
    "1000 MHz = 1 GHz",
    "100 W × 10 h = 1 kWh",
    "$\\binom{5}{2} = 10$",
    "$\\frac{dx}{dt} = \\exp(3) = 20$",
    "$W^T W = 1$",
    "$|{-3}| = 3$",
    "10–15 GB = 12 GB",
    "4-bit = 0.5 bytes",
    "$E[x] = 5$",
    "2 * 3 ± 1 = 7",
    "1 node = 8 GPUs = 8 × 80 GB = 640 GB",
    "512 GPUs = 64 nodes",
    "1 GPU = 80 GB, 2 GPUs = 160 GB",
    "1 param = 4 bytes",
    "100 * 1.1 = 110 (+10%)",
    "4 * 4 = 16 (2 × 8)",
    "1000 tokens / 20 s = 50 tokens/s",
    "$3/hour * 10 hours = $30",
    "a ≠ b and 3 != 4",
    "1000 * 2 = 2e3x",
    "2 * 5e11 = 1e12FLOPs",
)


@each("text", HALVES)
def test_half_of_a_formula_is_never_compared_as_if_it_were_the_whole(text: str) -> None:
    assert [quote for quote, verdict in verdicts(text) if verdict in ("wrong", "unit")] == []
