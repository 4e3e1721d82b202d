"""Every formula of the catalogue, set by Chromium, says what its LaTeX says, sign for sign."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from latex_tokens import OF_ELEMENT, settled, tokens_of
from opened import opened

from workings import catalogue
from workings.formula import Formula, latex, parse_formula
from workings.formula.readings.mathml import line_mathml, mathml
from workings.formula.readings.typeset import typeset

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ALL = f"[...document.querySelectorAll('math')].map({OF_ELEMENT})"
WIDTHS = "[...document.querySelectorAll('math')].map((one) => one.getBoundingClientRect().width)"

# What the catalogue may not hold: each way in which a sign can be lost.
AWKWARD = (
    "a - (b - c)", "-(a + b)*c", "(a + b)^2", "(-2)^2", "(a/b)^c", "a^(b + c)", "a/(b/c)", "a/b/c",
    "2*(1/2)", "1.8e11*a", "a/1.8e11", "2*3*4", "sum(a + i, (i, 1, N))*b", "max(a, b, c - d)",
    "sum(sum(i*j, (j, 1, i)), (i, 1, N - 1))", "min(a/b, 2)^2", "ceil(a/b)*floor(c)", "log2(N)*x",
    "sqrt(a + sqrt(b))/2", "(2*log2(N))^2", "alpha_1*N_fsdp + Lambda", "X_a_b - 34[byte]*s",
    "3[GB]*4 + 5", "a < b <= c", "p <=> q", "N >= 2*x", "a ≈ 1e-6",
)  # fmt: skip


def formulas() -> Iterator[Formula]:
    """Every line of every chain, and what is awkward."""
    for id_ in catalogue.ids():
        yield from (line.formula for line in catalogue.get(id_).lines)
    yield from map(parse_formula, AWKWARD)


def test_mathml_in_the_browser_says_what_latex_says(browser: "Browser", tmp_path: Path) -> None:
    ways: tuple[dict[str, bool], ...] = ({}, {"units": True}, {"inline": True})
    pairs = [
        (latex(formula, **way), mathml(formula, **way), line_mathml(typeset(formula, **way)))
        for formula in formulas()
        for way in ways
    ]
    assert len(pairs) > 3000
    shown = "".join(f"<p><math>{one}</math> <math>{line}</math></p>" for _, one, line in pairs)
    path = tmp_path / "all.html"
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8">{shown}', encoding="utf-8")
    with opened(browser, path) as found:
        read = found.page.evaluate(ALL)
        assert min(found.page.evaluate(WIDTHS)) > 0
    wrong = [
        (text, one, line)
        for (text, _, _), one, line in zip(pairs, read[::2], read[1::2], strict=True)
        if not tokens_of(text) == settled(one) == settled(line)
    ]
    assert not wrong, f"{len(wrong)} of {len(pairs)}, the first: {wrong[0]}"


def test_lines_of_a_page_say_what_is_copied_as_latex(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    inside = "step.querySelectorAll('.left > math, .formula > math')"
    steps = f"""[...document.querySelectorAll('.step')].map((step) =>
        [step.dataset.tex, [...{inside}].flatMap({OF_ELEMENT})])"""
    for name in ("report", "chapter"):
        with opened(browser, made[name]) as found:
            read = found.page.evaluate(steps)
        assert len(read) > 50
        assert [said for tex, said in read if tokens_of(tex) != settled(said)] == []


def test_a_dropped_sign_or_fence_would_be_seen(browser: "Browser", tmp_path: Path) -> None:
    formula = parse_formula("2*(a + b)/(c - d) - sqrt(e)*f^2")
    whole = mathml(formula)
    fence = '<mo form="prefix" stretchy="false">(</mo>'
    broken = [whole.replace(lost, "", 1) for lost in ("<mo>+</mo>", "<mo>−</mo>", fence)]
    for tag in ("msqrt", "mfrac", "msup"):
        broken.append(whole.replace(f"<{tag}>", "<mrow>").replace(f"</{tag}>", "</mrow>"))
    assert whole not in broken
    path = tmp_path / "all.html"
    path.write_text("".join(f"<math>{one}</math>" for one in (whole, *broken)), encoding="utf-8")
    with opened(browser, path) as found:
        right, *read = found.page.evaluate(ALL)
    said = tokens_of(latex(formula))
    assert right == said
    assert said not in read
