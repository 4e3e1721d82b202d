"""What people write is read as they meant it, in LaTeX, in prose and in code, or not at all."""

from fractions import Fraction

import pytest
from formula_trees import Undefined, points, rational_trees, value
from hypothesis import assume, given
from hypothesis import strategies as st
from looping import each
from page_readings import read, tree

from workings.formula import DoesNotEvaluateError, Expr, evaluate
from workings.formula.grammar import MAX_NESTING
from workings.formula.interval import rational
from workings.formula.latex import latex
from workings.formula.page.grammar import PageGrammar
from workings.formula.page.lexer import Dialect, Symbols, page_tokens
from workings.formula.plain import plain
from workings.formula.tree import FormulaError

LATEX = {
    r"N_{\text{FSDP}}": "N_FSDP",
    r"d_\text{model} \cdot 4": "d_model*4",
    r"4 h_{kv} d_h": "4*h_kv*d_h",
    r"\frac{a}{b} c": "(a/b)*c",
    r"\frac12 x": "(1/2)*x",
    r"\tfrac{n-1}{n}": "(n - 1)/n",
    r"2 \cdot 3 \times 4": "2*3*4",
    r"57{,}344": "57,344",
    r"1\,000\,000": "1,000,000",
    r"\underbrace{2 \cdot 3}_{\text{two}} + 1": "2*3 + 1",
    r"\underbrace{N}_{m + v} x": "N*x",
    r"\left\lceil \frac{a}{b} \right\rceil": "ceil(a/b)",
    r"\lfloor x \rfloor": "floor(x)",
    r"\sum_{i=1}^{n} i^2": "sum(i^2, (i, 1, n))",
    r"\sum\limits_{k=0}^{L - 1} 2k": "sum(2*k, (k, 0, L - 1))",
    r"\boxed{44}": "44",
    r"\left( a + b \right)^2": "(a + b)^2",
    r"34sbh\left(1 + \frac{5as}{6h}\right)": "34*s*b*h*(1 + (5*a*s)/(6*h))",
    r"\max\{a, b\} + \min\left(a, b\right)": "max(a, b) + min(a, b)",
    r"\log_2 8": "log2(8)",
    r"\sqrt{2}": "sqrt(2)",
    r"𝐵 + 𝑁": "B + N",
    r"\mathrm{d}_k \mathbf{X}": "d_k*X",
    r"10^9": "1e9",
    r"2 \times 10^{11}\,\text{bytes}": "2e11[B]",
    r"1.5 \times 10^{-3}\ \text{s}": "1.5e-3[s]",
    r"3.35\ \text{TB/s}": "3.35[TB/s]",
    r"3.35\,\mathrm{TB}/\mathrm{s}": "3.35[TB/s]",
    r"\qty{3.35}{TB/s} + \num{2e12}": "3.35[TB/s] + 2e12",
    r"220\text{B}": "220B",
    r"40\%": "40%",
    r"2 \text{ (batch)} \times 64 \text{ (heads)}": "2*64",
    r"\hat{x} + x'": "x + x_'",
    r"n^{k+1}": "n^(k + 1)",
    r"p(p-1)/2": "p*(p - 1)/2",
    r"8/nX": "8/(n*X)",
    r"|X| \cdot |Y|": "X*Y",
    r"32.8 GB + 4\ KiB": "32.8[GB] + 4[KiB]",
    r"989\,TFLOP/s": "989[TFLOP/s]",
    r"3 ms": "3[ms]",
    r"2 \times 10^{14} FLOPs": "2e14[FLOPs]",
    r"\exp(2 x)": "e^(2*x)",
    r"\ln 100 + exp(1)": "log2(100)/log2(e) + e^1",
    r"\log_{10}(N)": "log2(N)/log2(10)",
}
PROSE = {
    "2 (batch) × 64 (heads)": "2*64",
    "2 (for k and v) * 64": "2*64",
    "220B × 2 bytes": "220B*2[B]",
    "10K tokens": "10K",
    "3 billion params": "3 billion",
    "70 万": "70 万",
    "80 GB / 8 GPUs": "80[GB]/8",
    "9e10 bytes/sec": "9e10[B/s]",
    "1e12FLOPs": "1e12[FLOPs]",
    "16 bytes per param × 70B params": "16[B]*70B",
    "1,000,000": "1,000,000",
    "3 x 4": "3*4",
    "2**10": "2^10",
    "7//2": "floor(7/2)",
    "2 × 10¹¹": "2e11",
    "2³⁰": "2^30",
    "⌈10/3⌉ + √2": "ceil(10/3) + sqrt(2)",
    "5 − 3": "5 - 3",
    "$2.50": "2.50[USD]",
    "400 Gbps": "400[Gbit/s]",
    "6 and a half years": "6.5[year]",
    "(140 + 26) GB": "(140 + 26)*1[GB]",
    "Model Parameters * 2": "Model Parameters*2",
    "12 * h^2 * L": "12*h^2*L",
}
CODE = {
    "2*70e9*2": "2*70e9*2",
    "n_layers * d_model**2": "n_layers*d_model^2",
    "n_ctx//2": "floor(n_ctx/2)",
    "-x**2": "-x^2",
    "2**-1": "2^(-1)",
    "10_000": "10000",
    "max(1, 2)": "max(1, 2)",
    "batch*seq*4": "batch*seq*4",
}
REFUSED = {
    "math": (
        r"\sqrt[3]{8}",
        r"W_Q^T",
        r"\frac{\partial L}{\partial x}",
        r"\ln^2 x",
        r"\log(x)",
        r"n \choose k",
        r"a \bmod b",
        r"a \pm b",
        r"\int_0^1 x",
        r"\sum_i x",
        "N!",
        "(a + b",
        r"\frac{a}",
        r"\max",
        r"\text{kW} \cdot 5.6\,\text{kW}",
    ),
    "text": ("1.000.000", "2,5", "8 × H100 80GB", "5.6 kW", "٣", "２", "3 ± 1", "7 mod 4"),
    "code": (
        "x[0] + 1",
        "f(2) + 3",
        "int(3.5)",
        "a if b else c",
        "1 << 20",
        "'3' + 4",
        "2**3**2",
        "x @ y",
    ),
}


@each("text, meaning", LATEX.items())
def test_latex_is_read_as_mathematics(text: str, meaning: str) -> None:
    assert read(text) == meaning


@pytest.mark.parametrize(("text", "meaning"), PROSE.items())
def test_prose_is_read_with_its_units_nouns_and_remarks(text: str, meaning: str) -> None:
    assert read(text, "text", "hL") == meaning


@pytest.mark.parametrize(("text", "meaning"), CODE.items())
def test_code_is_read_as_code(text: str, meaning: str) -> None:
    assert read(text, "code") == meaning


@pytest.mark.parametrize(("dialect", "text"), [(d, t) for d, texts in REFUSED.items() for t in texts])
def test_what_is_not_understood_is_not_guessed(dialect: Dialect, text: str) -> None:
    assert read(text, dialect) == "?"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("220B", 220 * 10**9),
        ("10K", 10**4),
        ("4M", 4 * 10**6),
        ("8 billion", 8 * 10**9),
        ("1.5 亿", 15 * 10**7),
        ("70 万", 7 * 10**5),
        ("40%", Fraction(2, 5)),
        ("3 million", 3 * 10**6),
        ("2.4 × 10^11", 24 * 10**10),
        ("9e10", 9 * 10**10),
        ("80 GB", 80 * 10**9),
        ("1 GiB", 2**30),
        ("3 bits", Fraction(3, 8)),
        ("2 hours", 7200),
    ],
)
def test_a_number_has_the_value_its_suffix_or_unit_says(text: str, value: Fraction) -> None:
    assert evaluate(tree(text, "text"), {}) == value


def test_letters_side_by_side_are_a_product_unless_the_document_knows_the_word() -> None:
    assert read("bsh") == "b*s*h"
    assert read("2BFD", "text", "BDF") == "2*B*F*D"
    assert read("TP", "math", "", "TP") == "TP"
    assert read("4batch") == "4*batch"


def test_a_letter_of_the_document_is_no_suffix() -> None:
    assert read("2B", "math") == "2B"
    assert read("2B", "math", "B") == "2*B"


def test_an_x_behind_a_number_means_times_unless_it_is_a_letter_of_the_document() -> None:
    assert read("2x", "text") == "2"
    assert read("2x", "text", "x") == "2*x"


def test_the_other_readings_of_a_division_can_be_asked_for() -> None:
    symbols = Symbols()
    found = page_tokens("8/nX", lambda _: "math", symbols)
    readings = []
    for division in ("side by side", "one factor", "all that follows"):
        grammar = PageGrammar("8/nX", found, symbols, division)
        readings.append(plain(grammar.read(0, len(found) - 1)[0]))
        assert grammar.ambiguous
    assert readings == ["8/(n*X)", "8/n*X", "8/(n*X)"]


@pytest.mark.parametrize(
    "text", ["(" * 100 + "1" + ")" * 100, "-" * 200 + "1", "2^" * 100 + "2", r"\frac{" * 99]
)
def test_deep_nesting_is_refused(text: str) -> None:
    assert read(text) == "?"
    assert MAX_NESTING < 100


@pytest.mark.parametrize("text", ["9" * 100, "1" + "0" * 5000, "1e999999", "1" + "+1" * 3000])
def test_what_is_too_long_is_refused(text: str) -> None:
    assert read(text) == "?"


def test_an_error_says_what_was_found_and_expected() -> None:
    with pytest.raises(FormulaError, match=r"found '\]', expected '\)'"):
        tree("(1 + 2]")


def _same(meant: Expr, was_read: Expr, at: dict[str, Fraction]) -> bool:
    try:
        expected = value(meant, at)
    except (Undefined, ZeroDivisionError):
        return True
    try:
        return rational(evaluate(was_read, at)) == expected
    except DoesNotEvaluateError:
        return expected.numerator.bit_length() > 1000 or expected.denominator.bit_length() > 1000


@given(rational_trees, points)
def test_what_we_write_as_latex_reads_back_to_the_same_value(
    meant: Expr, at: dict[str, Fraction]
) -> None:
    assert _same(meant, tree(latex(meant), "math", "xNS"), at)


@given(rational_trees, points, st.sampled_from(("text", "code", "math")))
def test_what_we_write_as_plain_text_reads_back_to_the_same_value(
    meant: Expr, at: dict[str, Fraction], dialect: Dialect
) -> None:
    assert _same(meant, tree(plain(meant), dialect, "xNS"), at)


@given(rational_trees, points)
def test_spaces_around_signs_change_nothing(meant: Expr, at: dict[str, Fraction]) -> None:
    text = plain(meant)
    assume("e-" not in text)
    spaced = text.replace("*", " * ").replace("/", " / ")
    assert _same(meant, tree(spaced, "text", "xNS"), at)


@given(
    st.text(alphabet=r"ab12 +-*/^_{}()[]\,.=$%&~!|Nx√⌈⌉×·²", max_size=40),
    st.sampled_from(("math", "text", "code")),
)
def test_any_text_is_read_or_refused_and_nothing_else(text: str, dialect: Dialect) -> None:
    symbols = Symbols(frozenset("ab"))
    found = page_tokens(text, lambda _: dialect, symbols)
    for start in range(len(found) - 1):
        try:
            _, stop = PageGrammar(text, found, symbols).read(start, len(found) - 1)
        except FormulaError:
            continue
        assert start < stop < len(found)
