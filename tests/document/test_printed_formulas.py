"""Chains, worked values and SymPy's own forms as blocks of a page."""

import re
from pathlib import Path
from typing import Any

import pytest
from documents import (
    FIRST,
    FRONT,
    Options,
    UserError,
    build_text,
    latex_of,
    markdown_of,
    refusal,
    source_in,
)

import workings
from workings import catalogue
from workings.verification import verified


def entry(id_: str, **changed: Any) -> dict[str, Any]:
    """What verified.json would hold of a derivation just verified."""
    what = catalogue.get(id_)
    steps = [{"line": n, "relation": "=", "word": "proved", "how": ""} for n in range(2, 4)]
    oracle = {"word": "proved", "how": "agrees at 24 points", "points": 24}
    fresh = {"key": verified.key(what), "sympy": verified.sympy_version(), "word": "proved",
             "steps": steps, "oracle": oracle, "simplified": "", "solutions": {},
             "warnings": []}  # fmt: skip
    return {id_: fresh | changed}


def on_file(monkeypatch: pytest.MonkeyPatch, entries: dict[str, Any]) -> None:
    monkeypatch.setattr(verified, "load", lambda _: entries)


def chain(id_: str = "fsdp-memory", options: str = "") -> str:
    return f"```{{chain}} {id_}\n{options}```\n"


def test_a_fresh_entry_lets_a_page_say_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_file(monkeypatch, entry("fsdp-memory"))
    counted = (catalogue.get("fsdp-memory").oracle.__doc__ or "").splitlines()[0].rstrip(".")
    words = f"Proved: 2 steps. Counted a second way: {counted}, at 24 points. Formula"
    assert words in markdown_of(tmp_path, chain())
    assert words in latex_of(tmp_path, chain())


def test_a_weaker_word_is_said_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_file(monkeypatch, entry("fsdp-memory", word="sampled"))
    made = markdown_of(tmp_path, chain())
    assert "Sampled: 2 steps." in made
    assert "roved" not in made


@pytest.mark.parametrize("key", ["0" * 32, ""])
def test_a_stale_or_missing_entry_is_not_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    on_file(monkeypatch, entry("fsdp-memory", key=key) if key else {})
    for made in (markdown_of(tmp_path, chain()), latex_of(tmp_path, chain())):
        assert "Not verified. Formula" in made
        assert "roved" not in made
        assert "Counted" not in made


def test_one_step_is_not_called_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_file(monkeypatch, entry("fsdp-memory", steps=[{}]))
    assert "Proved: 1 step. " in markdown_of(tmp_path, chain())


def test_a_unit_that_holds_a_factor_is_shown_among_letters_and_others_are_not(tmp_path: Path) -> None:
    bits = markdown_of(tmp_path, chain("port-rate"))
    assert r"r_{b} \times 1\,\text{bit}" in bits
    assert r"\frac{r_{b}}{8} \times 1\,\text{byte}" in bits
    assert r"\text{byte" not in markdown_of(tmp_path, chain("block-activations")).partition("<sub>")[0]


def provenance(how: str) -> str:
    """Front matter that chooses it."""
    return FRONT.replace("+++\n", f'+++\nprovenance = "{how}"\n', 1)


def small_print(made: str) -> list[str]:
    """What stands below a formula but for what its letters mean."""
    return [line for line in re.findall(r"<sub>(.*?)</sub>", made) if not line.startswith("where ")]


def test_in_short_a_formula_has_one_line_with_its_verdict_and_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = f"[source]({catalogue.get('fsdp-memory').source.url})."
    for entries, words in (
        (entry("fsdp-memory"), "Proved, counted a second way; "),
        (entry("fsdp-memory", word="sampled"), "Sampled, counted a second way; "),
        (entry("fsdp-memory", steps=[]), "Counted a second way; "),
        (entry("fsdp-memory", key="0" * 32), "Not verified; "),
    ):
        on_file(monkeypatch, entries)
        assert small_print(markdown_of(tmp_path, chain(), provenance("short"))) == [words + source]
        assert words in latex_of(tmp_path, chain(), provenance("short"))


def test_without_provenance_nothing_stands_below_a_formula_and_conditions_stay(tmp_path: Path) -> None:
    front = provenance("none").replace("+++\n", "+++\nwhere = false\n", 1)
    made = markdown_of(tmp_path, chain("fsdp-fits"), front)
    assert "<sub>" not in made
    assert "source" not in made
    assert "Holds where $`2`$ divides $`L`$" in made
    assert made.endswith("```\n")
    assert r"\footnotesize" not in latex_of(tmp_path, chain("fsdp-fits"), front)


def test_the_command_comes_before_the_source_and_a_sheet_is_short_where_neither_chooses(
    tmp_path: Path,
) -> None:
    def lines(front: str = FRONT, *, sheet: bool = False, given: str | None = None) -> int:
        options = Options(formats=("md",), sheet=sheet, provenance=given)
        [made] = build_text(tmp_path, chain("fsdp-fits"), front, options).values()
        return len(small_print(made))

    full = lines()
    assert full > 1
    assert lines(sheet=True) == lines(given="short") == 1
    assert lines(provenance("full"), sheet=True) == lines(provenance("none"), given="full") == full
    assert lines(provenance("full"), given="none") == lines(provenance("none")) == 0


def test_one_formula_may_have_another_provenance_than_its_page(tmp_path: Path) -> None:
    text = chain("fsdp-fits", ":footer: short\n") + "\n" + chain("fsdp-memory", ":footer: none\n")
    assert len(small_print(markdown_of(tmp_path, text))) == 1


def test_another_word_for_provenance_is_refused_with_those_there_are(tmp_path: Path) -> None:
    expected = "found 'long', expected one of full, short, none"
    found = refusal(tmp_path, "x\n", provenance("long"))
    assert found == f"page.md:2: front matter: provenance: {expected}"
    found = refusal(tmp_path, chain(options=":footer: long\n"))
    assert found == f"page.md:{FIRST}: :footer: {expected}"
    with pytest.raises(UserError, match=f"^provenance: {expected}$"):
        workings.report(str(source_in(tmp_path, "x\n")), tmp_path / "out", provenance="long")
    assert not (tmp_path / "out").exists()


def test_a_chain_prints_every_line_with_its_reason(tmp_path: Path) -> None:
    what = catalogue.get("fsdp-fits")
    made = markdown_of(tmp_path, chain("fsdp-fits"))
    block = made.partition("\\begin{aligned}\n")[2].partition("\\end{aligned}")[0]
    assert block.count(r"\iff") == len(what.lines) - 1
    assert block.count(r"&&\quad") == len(what.lines)
    assert "Holds where $`2`$ divides $`L`$ and $`M_{\\text{max}} > A/2`$." in made
    assert "With $`S`$ from `model-state`, $`A`$ from `saved-activations`." in made
    assert f"[source]({what.source.url}), {what.source}." in made
    assert latex_of(tmp_path, chain("fsdp-fits")).count(r"\workingsstep") == len(what.lines)


def test_a_chain_takes_a_title_and_may_go_without_its_footer(tmp_path: Path) -> None:
    options = ":title: What one device of `N` holds\n:footer: none\n:label: mine\n"
    made = markdown_of(tmp_path, chain(options=options))
    assert '<a id="eq-mine"></a>**(1)** **What one device of $`N`$ holds.**' in made
    assert small_print(made) == []


def test_limits_and_minima_name_their_letters(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, chain("ring-all-gather"))
    assert r"\overset{N \to \infty}{\approx} S" in made
    made = markdown_of(tmp_path, chain("best-mesh-time-max"))
    assert r"\min_{X} T_{\text{best}} &= " in made
    assert r"\quad \text{at } X = \sqrt{" in made


def test_a_worked_value_stands_in_letters_in_numbers_and_as_a_result(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, "```{worked} fsdp-memory N_fsdp=156\n:digits: 5\n```\n")
    assert '<a id="eq-fsdp-memory-N_fsdp-156-worked"></a>' in made.replace("N-fsdp", "N_fsdp")
    lines = made.partition("\\begin{aligned}\n")[2].splitlines()
    assert lines[0] == r"M &= \frac{S + A/2}{N} + \frac{A}{2} \\"
    assert lines[1].startswith(r" &\approx \frac{3{,}517.58\,\text{GB} + 143.747\,\text{GB}/2}{156}")
    assert lines[2] == r" &\approx 94.883\,\text{GB}"


def test_a_worked_value_is_equal_only_where_every_number_is_exact(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, "```{worked} ffn-parameters\n```\n")
    assert r"\approx" not in made
    made = markdown_of(tmp_path, "```{worked} saved-activations\n```\n")
    assert r" &= 2\,\text{bytes} \times 8{,}192" in made
    assert r" &\approx 143.7\,\text{GB}" in made


def test_a_worked_value_may_choose_its_unit(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, "```{worked} model-state\n:unit: GiB\n```\n")
    assert r" &= 3{,}276\,\text{GiB}" in made


def test_a_worked_condition_keeps_its_relation(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, "```{worked} fsdp-fits\n```\n")
    assert r"N &> \frac{S + A/2}{M_{\text{max}} - A/2} \\" in made
    assert made.count(r"&\approx") == 2


def test_sympys_form_is_taken_from_a_fresh_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = entry("fsdp-memory", simplified="S/7", solutions={"N": "S/9"})
    on_file(monkeypatch, kept)
    made = markdown_of(tmp_path, "```{sympy} fsdp-memory\n```\n\n```{sympy} fsdp-memory for=N\n```\n")
    assert r"M &= \frac{S}{7}" in made
    assert r"N &= \frac{S}{9}" in made
    assert "Solved by SymPy for $`N`$:" in made


@pytest.mark.slow
def test_sympy_is_asked_again_where_the_entry_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_file(monkeypatch, entry("fsdp-memory", key="old", solutions={"N": "S/9"}))
    made = markdown_of(tmp_path, "```{sympy} fsdp-memory for=N\n```\n")
    solved = re.search(r"N &= \\frac\{(.*)\}\{(.*)\}\n", made)
    assert solved is not None
    assert set(solved[1].split(" + ")) == {"2 S", "A"}
    assert solved[2] == "2 M - A"
