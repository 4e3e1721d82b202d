"""A page's letters, labels and numbers."""

import re
from pathlib import Path

import pytest
from documents import BAR, FIRST, FRONT, Options, build_text, latex_of, markdown_of, refusal

GLYPHS = FRONT.removesuffix("+++\n")


def front(*glyphs: str) -> str:
    return GLYPHS + "\n".join(["[glyphs]", *glyphs, "+++", ""])


BOTH = "```{chain} fsdp-memory\n```\n\n```{chain} ring-all-reduce\n```\n"


def test_a_letter_with_two_meanings_is_refused_naming_both_and_the_cure(tmp_path: Path) -> None:
    assert refusal(tmp_path, BOTH) == (
        f"page.md:{FIRST + 3}: the letter N stands for both devices that share one copy (FSDP) "
        "(fsdp-memory) and ranks in the group (ring-all-reduce), give N_fsdp or group another "
        "one under [glyphs]"
    )


def test_a_letter_taken_by_the_cure_is_refused_too(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, BOTH, front('group = "A"', 'message = "Q"'))
    assert "the letter A stands for both" in sentence
    assert "(ring-all-reduce), give saved-activations or group another" in sentence


def test_another_letter_is_used_in_formulas_reasons_and_footers(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, BOTH, front('group = "R"', 'message = "Q"'))
    ring = made.partition("eq-ring-all-reduce")[2]
    assert r"\sum_{i=1}^{R - 1} \frac{Q}{R}" in ring
    assert r"\quad R - 1 \text{ equal terms}" in ring
    assert not re.search(r"\bN\b", ring.partition("Not verified")[0].partition("Proved")[0])
    assert r"\frac{S + A/2}{N}" in made.partition("eq-ring-all-reduce")[0]  # the other's stay


def test_the_letters_of_a_used_result_are_the_pages_own(tmp_path: Path) -> None:
    text = "```{chain} mesh-gather-time\n```\n"
    made = markdown_of(tmp_path, text, front('group = "R"', 'message = "Q"'))
    assert "from `ring-all-gather` ($`X`$ for $`R`$, $`2 w D F/Y`$ for $`Q`$)." in made


def test_a_derivations_result_can_have_another_letter(tmp_path: Path) -> None:
    text = "```{chain} model-state\n```\n\n```{chain} fsdp-memory\n```\n"
    made = markdown_of(tmp_path, text, front('model-state = "S_all"'))
    assert r"S_{\text{all}} &= w_{p} P" in made
    assert r"\frac{S_{\text{all}} + A/2}{N}" in made


def test_a_notation_gives_letters_and_the_document_overrides_it(tmp_path: Path) -> None:
    text = "```{chain} fsdp-memory\n```\n"
    notation = front().replace("[glyphs]", 'notation = "scaling-book"')
    assert r"\frac{S}{X}" in markdown_of(tmp_path, text, notation)
    own = front('N_fsdp = "K"').replace("[glyphs]", 'notation = "scaling-book"\n[glyphs]')
    assert r"\frac{S}{K}" in markdown_of(tmp_path, text, own)


def test_a_concept_read_as_a_real_number_shares_its_letter(tmp_path: Path) -> None:
    text = "```{chain} checkpoint-memory\n```\n\n```{chain} checkpoint-optimum\n```\n"
    assert "eq-checkpoint-optimum" in markdown_of(tmp_path, text)  # k segments, whole and real


@pytest.mark.parametrize(
    "text",
    [
        "```{chain} fsdp-memory\n```\n\n```{chain} fsdp-memory\n```\n",
        "```{chain} fsdp-memory\n```\n\n```{ledger} fsdp-memory\n:label: fsdp-memory\n```\n",
        "```{chain} fsdp-memory\n:label: a b\n```\n\n```{worked} fsdp-memory\n:label: a-b\n```\n",
        f"```{{figure}} x\n{BAR}```\n\n```{{figure}} x\n{BAR}```\n",
    ],
)
def test_a_label_given_twice_is_refused(tmp_path: Path, text: str) -> None:
    assert "is numbered twice, give one a :label: of its own" in refusal(tmp_path, text)


@pytest.mark.parametrize("label", ["", '"', "---", "²"])
def test_a_label_needs_a_letter_or_digit(tmp_path: Path, label: str) -> None:
    sentence = refusal(tmp_path, f"```{{chain}} fsdp-memory\n:label: {label}\n```\n")
    assert "expected letters or digits" in sentence


def test_any_label_becomes_a_harmless_anchor(tmp_path: Path) -> None:
    label = 'a}b"><script>'
    text = f"```{{chain}} fsdp-memory\n:label: {label}\n```\n\nSee {{ref}}`{label}`.\n"
    assert '<a id="eq-a-b-script-"></a>' in (made := markdown_of(tmp_path, text))
    assert "See [(1)](#eq-a-b-script-)." in made
    tex = latex_of(tmp_path, text)
    assert r"\workingsnumber{eq:a-b-script-}" in tex
    assert r"See (\ref{eq:a-b-script-})." in tex


def test_references_may_point_forward_and_name_their_kind(tmp_path: Path) -> None:
    text = (
        "{ref}`fsdp-memory` {ref}`t` {ref}`f` {ref}`second`\n\n```{chain} fsdp-memory\n```\n\n"
        f"```{{ledger}} model-state\n:label: t\n```\n\n```{{figure}} f\n{BAR}```\n\n"
        "```{worked} fsdp-memory\n:label: second\n```\n"
    )
    assert markdown_of(tmp_path, text).startswith(
        "[(1)](#eq-fsdp-memory) [table 1](#table-t) [figure 1](#figure-f) [(2)](#eq-second)\n"
    )
    assert latex_of(tmp_path, text).startswith(
        r"(\ref{eq:fsdp-memory}) table~\ref{tab:t} figure~\ref{fig:f} (\ref{eq:second})"
    )


def test_a_sheet_numbers_what_it_shows_and_cannot_refer_to_solutions(tmp_path: Path) -> None:
    hidden = "````{solution}\n```{chain} fsdp-memory\n```\n````\n\n"
    text = hidden + "```{worked} model-state\n:label: w\n```\n\n{ref}`w`\n"
    made = build_text(tmp_path, text, options=Options(sheet=True))
    assert "[(1)](#eq-w)" in made["sheet.md"]
    assert "fsdp-memory" not in made["sheet.md"] + made["sheet.tex"]
    with pytest.raises(ValueError, match="`fsdp-memory`: nothing here has that label"):
        build_text(tmp_path, "{ref}`fsdp-memory`\n\n" + hidden, options=Options(sheet=True))


def test_a_table_without_caption_cannot_be_referred_to(tmp_path: Path) -> None:
    text = '```{table}\nlabel = "t"\n[[column]]\ntitle = "x"\nid = "model-state"\n[[row]]\n```\n'
    assert "nothing here has that label" in refusal(tmp_path, text + "\n{ref}`t`\n")
