"""`:expand:` works the results that a formula uses out above it."""

import re
from pathlib import Path

from documents import FIRST, FRONT, markdown_of, refusal

SHORT = FRONT.replace("+++\n", '+++\nprovenance = "short"\n', 1)


def worked(id_: str, *options: str) -> str:
    return f"```{{worked}} {id_}\n" + "".join(f"{one}\n" for one in options) + "```\n"


def test_used_results_stand_above_in_order_and_lead_to_the_formula_that_uses_them(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, worked("fsdp-fits", ":expand:", ":digits: 5"))
    assert re.findall(r"\*\*\((\d)\)\*\* (.*):", made) == [
        ("1", "Parameters of a feed-forward stack, for [(4)](#eq-fsdp-fits-worked)"),
        ("2", "Model state of a feed-forward model: weights, gradients, AdamW moments, for "
              "[(4)](#eq-fsdp-fits-worked)"),
        ("3", "Activations that a feed-forward stack saves for the backward pass, for "
              "[(4)](#eq-fsdp-fits-worked)"),
        ("4", "FSDP devices from which a device has room for its share of a feed-forward stack, "
              "in numbers"),
    ]  # fmt: skip
    for line in (r"P &= 2 L D F \\", r" &\approx 3{,}517.58\,\text{GB}", r" &\approx 143.747\,\text{GB}"):
        assert made.count(line) == 1
    assert r"\frac{3{,}517.58\,\text{GB} + 143.747\,\text{GB}/2}" in made


def test_a_letter_that_is_worked_out_needs_no_other_words(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, worked("fsdp-smallest-n", ":expand: yes"), SHORT)
    told = re.findall(r"\$`(\S+)`\$(?: stands)? for ", "".join(re.findall("(?m)^where .*$", made)))
    assert told == ["L", "D", "F", "w_{p}", "w_{g}", "w_{o}", "a", "B", r"M_{\text{max}}"]


def test_the_letters_are_those_of_the_formula_as_the_page_writes_them(tmp_path: Path) -> None:
    text = worked("split-matmul-flops t=8 B=4096 D=64 F=32", ":expand:")
    assert r"f &= 2 B F D" in markdown_of(tmp_path, text)
    front = FRONT.replace('"xxl-220b"\n', '"xxl-220b"\n[glyphs]\nd_ff = "H"\nmatmul-flops = "f_m"\n')
    assert r"f_{m} &= 2 B H D" in markdown_of(tmp_path, text, front)


def test_a_formula_right_below_its_derivation_is_written_in_letters_once_more(tmp_path: Path) -> None:
    chain = "```{chain} fsdp-fits\n```\n\n"
    assert (
        markdown_of(tmp_path, chain + worked("fsdp-fits", ":expand:")).count(r"N &> \frac{S + A/2}") == 1
    )
    assert r"N &> \frac{S + A/2}" not in markdown_of(tmp_path, chain + worked("fsdp-fits"))


def test_a_formula_that_uses_no_result_and_another_word_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, worked("ffn-parameters", ":expand:")) == (
        f"page.md:{FIRST}: :expand: ffn-parameters stands in no letter that another formula works out"
    )
    assert refusal(tmp_path, worked("fsdp-fits", ":expand: all")) == (
        f"page.md:{FIRST}: :expand: found 'all', expected nothing after it, or yes"
    )
