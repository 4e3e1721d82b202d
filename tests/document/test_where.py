"""The line that says what letters mean, under the first formula that they stand in."""

import re
from pathlib import Path

from documents import FRONT, latex_of, markdown_of, refusal

SECTIONS = FRONT.replace("+++\n", '+++\nscope = "section"\n', 1)
SHORT = FRONT.replace("+++\n", '+++\nprovenance = "short"\n', 1)


def fences(*arguments: str) -> str:
    return "\n".join(f"```{{{a.split()[0]}}} {a.partition(' ')[2]}\n```\n" for a in arguments)


def where_lines(made: str) -> list[str]:
    """The sentences that say what letters mean, without marks of Markdown."""
    found = re.findall(r"^(?:<sub>)?((?:where|Here) .*?\.)(?:</sub>\\?)?$", made, re.MULTILINE)
    return [line.replace("$`", "").replace("`$", "") for line in found]


def test_a_letter_is_told_under_the_first_formula_that_uses_it_and_not_again(tmp_path: Path) -> None:
    text = fences("chain ffn-parameters", "chain saved-activations", "worked ffn-parameters")
    assert where_lines(markdown_of(tmp_path, text, SHORT)) == [
        "where L stands for blocks (layers), D for model width and F for feed-forward width.",
        "where a stands for bytes per activation and B for tokens in the batch.",
    ]


def test_units_stand_behind_meanings_that_do_not_begin_with_them(tmp_path: Path) -> None:
    [time, *_] = where_lines(markdown_of(tmp_path, fences("chain point-to-point-time"), SHORT))
    assert r"\alpha stands for start-up time of one message (s)" in time
    assert "S for bytes of the whole message;" in time


def test_meanings_with_commas_are_kept_apart_and_flags_say_when_they_are_one(tmp_path: Path) -> None:
    [line] = where_lines(markdown_of(tmp_path, fences("chain attention-bias-parameters"), SHORT))
    assert "; D for model width; " in line
    assert line.endswith(r"; \beta_{o} is 1 where attention's output has a bias.")
    assert r"\beta_{\text{qkv}} is 1 where queries, keys and values have biases; " in line


def test_a_used_result_is_told_by_its_title_where_no_small_print_leads_to_it(tmp_path: Path) -> None:
    text = fences("chain fsdp-working-fits")
    [short] = where_lines(markdown_of(tmp_path, text, SHORT))
    assert (
        "G for gathered weights and the gradient being reduced, of a feed-forward stack (byte)" in short
    )
    [full] = where_lines(markdown_of(tmp_path, text))
    assert "G " not in full
    assert "With $`S`$ from" in markdown_of(tmp_path, text)
    [line] = where_lines(markdown_of(tmp_path, fences("chain ffn-forward-flops"), SHORT))
    assert line.startswith(
        r"where f_{\text{up}} and f_{\text{down}} stand for FLOPs of a matrix product, "
    )


def test_the_result_of_a_formula_above_needs_no_words(tmp_path: Path) -> None:
    text = fences("chain model-state", "chain saved-activations", "chain fsdp-memory")
    *_, last = where_lines(markdown_of(tmp_path, text, SHORT))
    assert last == "where N stands for devices that share one copy (FSDP)."


def test_a_formula_in_numbers_and_an_account_tell_letters_too(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, fences("worked fsdp-memory N_fsdp=156"), SHORT)
    [line] = where_lines(made)
    assert "N for devices that share one copy (FSDP)" in line
    assert f"{line.split()[0]} " in made.partition("\\end{aligned}\n```\n")[2]
    made = markdown_of(tmp_path, fences("ledger model-state", "chain model-state"), SHORT)
    assert [line.split()[0] for line in where_lines(made)] == ["Here"]
    assert made.index("Here $`w_{p}`$ stands for") < made.index("aligned")


def test_letters_of_a_table_above_and_of_a_topic_are_not_told_again(tmp_path: Path) -> None:
    first = fences("ledger model-state", "symbols", "worked model-state")
    assert len(where_lines(markdown_of(tmp_path, first, SHORT))) == 1
    topic = markdown_of(tmp_path, "```{topic} memory\n:at: xxl-220b\n```\n")
    assert where_lines(topic) == []


def test_a_section_in_which_letters_are_free_tells_its_own(tmp_path: Path) -> None:
    text = "## A\n\n" + fences("chain ffn-parameters") + "\n## B\n\n" + fences("chain saved-activations")
    assert [len(where_lines(markdown_of(tmp_path, text, front))) for front in (FRONT, SECTIONS)] == [2, 2]
    first, second = where_lines(markdown_of(tmp_path, text, SECTIONS))
    assert "D for model width" in first
    assert "D for model width" in second
    assert "D for model width" not in where_lines(markdown_of(tmp_path, text))[1]


def test_other_letters_of_a_page_are_told_as_the_page_writes_them(tmp_path: Path) -> None:
    front = FRONT.replace('scenario = "xxl-220b"\n', 'scenario = "xxl-220b"\n[glyphs]\nblocks = "n_l"\n')
    [line] = where_lines(markdown_of(tmp_path, fences("chain ffn-parameters"), front))
    assert line.startswith(r"where n_{l} stands for blocks (layers), ")


def test_latex_tells_them_too_and_a_source_may_do_without(tmp_path: Path) -> None:
    text = fences("chain ffn-parameters")
    assert "stands for blocks (layers), " in latex_of(tmp_path, text)
    without = FRONT.replace("+++\n", "+++\nwhere = false\n", 1)
    assert where_lines(markdown_of(tmp_path, text + fences("ledger model-state"), without)) == []
    assert "where" in refusal(tmp_path, text, FRONT.replace("+++\n", '+++\nwhere = "no"\n', 1))
