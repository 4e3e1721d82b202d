"""Formulas between dollars: read as formulas in every format, and refused at their place."""

from pathlib import Path

import pytest
from documents import Options, build_text, latex_of, markdown_of, refusal
from looping import each

from workings.document.tex import tex_formula
from workings.formula import FormulaError, parse_formula, plain

SAME = (
    (r"\frac{S}{N} + \frac{A/2}{N}", "S/N + (A/2)/N"),
    ("2LDF", "2*L*D*F"),
    (r"N_{\text{max}} \le \left\lceil \frac{16{,}384}{2}\right\rceil", "N_max <= ceil(16384/2)"),
    (r"95\,\text{GB} - 3^2 S", "95[GB] - 3^2*S"),
    (r"\sqrt{x} + \max(a, b)", "sqrt(x) + max(a, b)"),
    (r"\alpha_1 (N-1)^{2}", "alpha_1*(N - 1)^2"),
    (r"N_{max} \geq {a+b}c", "N_max >= (a + b)*c"),
    (r"\frac12 \times x \cdot y", "(1/2)*x*y"),
    (r"\lfloor x \rfloor \approx 3", "floor(x) ≈ 3"),
    (r"\mathrm{MFU} = 0.4", "MFU = 0.4"),
)

REFUSED = (
    ("S/2N", 4, "found a product without a sign behind a /"),
    (r"1 + \int x", 5, r"found '\\int', which no formula"),
    ("x_", 3, "found the index ''"),
    (r"\frac{1}", 9, r"found no argument of \frac"),
    (r"\frac{1}{2", 9, "found no end to this {"),
    ("2 +", 4, "expected a number"),
    (r"95\,\text{spam}", 5, "found 'spam'"),
    (r"\input{/etc/passwd}", 1, r"found '\\input'"),
    ("<script>", 1, "found '<'"),
    (r"\sqrt" * 40 + "{x}", 1, ""),
)


@each("text, ours", SAME)
def test_latex_is_read_as_the_formula_it_says(text: str, ours: str) -> None:
    assert plain(tex_formula(text)).replace(",", "") == plain(parse_formula(ours)).replace(",", "")


@each("text, column, problem", REFUSED)
def test_what_is_not_read_is_refused_at_its_column(text: str, column: int, problem: str) -> None:
    with pytest.raises(FormulaError) as caught:
        tex_formula(text)
    assert problem in str(caught.value)
    assert not problem or caught.value.column == column


def test_a_formula_of_a_sentence_is_set_in_every_format(tmp_path: Path) -> None:
    text = r"It is $\frac{S}{N} \le 95\,\text{GB}$ here." + "\n"
    assert r"It is $`S/N \le 95\,\text{GB}`$ here." in markdown_of(tmp_path, text)
    assert r"$S/N \le 95\,\text{GB}$" in latex_of(tmp_path, text)


def test_displayed_formulas_are_lines_without_a_number(tmp_path: Path) -> None:
    text = "$$\nM &= \\frac{S}{N} + A \\\\\n  &\\approx 3\\,\\text{GB}\n$$\n\nWords.\n"
    made = markdown_of(tmp_path, text)
    assert "M &= \\frac{S}{N} + A \\\\\n &\\approx 3\\,\\text{GB}\n\\end{aligned}\n```\n\nWords." in made
    assert "**(1)**" not in made


def test_a_price_is_no_formula(tmp_path: Path) -> None:
    assert r"from \$5 to \$10." in markdown_of(tmp_path, "from $5 to $10.\n")


def test_the_file_the_line_and_the_column_are_named(tmp_path: Path) -> None:
    said = refusal(tmp_path, "One line\nand $N$ or $S + \\foo$ here.\n")
    assert said.startswith("page.md:6: column 17: $S + \\foo$: found '\\\\foo', which")
    said = refusal(tmp_path, "Words.\n\n$$\nM = S \\\\\nN = ?\n$$\n")
    assert said.startswith("page.md:9: column 5: $N = ?$: found '?'")


def test_html_has_mathml_and_nothing_of_the_source(tmp_path: Path) -> None:

    made = build_text(tmp_path, "$N < 3$\n", options=Options(formats=("html",)))["report.html"]
    assert "<mo>&lt;</mo>" in made
