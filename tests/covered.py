"""Small lists of published formulas, and matches of them, in folders of their own."""

from pathlib import Path

from covering.judging import Judged, judged
from covering.lists import matches_of, source_of

HEAD = """
title = "A paper"
authors = "Somebody"
year = 2020
where = "arXiv:2001.00001v1"
read = "whole"
missing = ""
"""
FORMULA = """
[[formula]]
id = "{id}"
place = "Section 1"
words = "Bytes of the weights"
formula = "2 * Psi"
letters = {{ Psi = "parameters" }}
kind = "formula"
exact = true
note = ""
"""
EXAMPLE = """
[[formula.example]]
inputs = {{ {inputs} }}
result = "{result}"
place = "Section 1"
"""
WEIGHTS = """
[[match]]
formula = "weights"
entry = "weights-bytes"
says = "2 * Psi"
set = { P = "Psi", w = "2" }
verdict = "agrees"
"""


def listed(*ids: str) -> str:
    """A list of formulas of these ids, all the same."""
    return HEAD + "".join(FORMULA.format(id=id_) for id_ in ids)


def with_example(result: str, inputs: str = 'Psi = "1.5e9"') -> str:
    """A list of one formula with a worked example."""
    return listed("weights") + EXAMPLE.format(inputs=inputs, result=result)


def kept(folder: Path, source: str, matches: str | None, name: str = "paper") -> Path:
    """The folder with a list and its matches in it."""
    for kind, text in (("sources", source), ("matches", matches)):
        (folder / kind).mkdir(exist_ok=True)
        if text is not None:
            (folder / kind / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def judge(folder: Path, source: str, matches: str) -> Judged:
    """The list with its matches, judged."""
    kept(folder, source, matches)
    found = matches_of("paper", folder)
    assert found is not None
    return judged(source_of(folder / "sources" / "paper.toml"), found)


def faults(folder: Path, source: str, matches: str) -> list[str]:
    """What is wrong, a sentence each."""
    return [str(fault) for fault in judge(folder, source, matches).faults]
