"""What Typst's own parser makes of the mathematics we write, written down as LaTeX."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import typst as library

from workings.formula.readings.typeset import GREEK

_LETTERS = {sign: f"\\{name}" for name, sign in GREEK.items()}
_SIGNS = _LETTERS | {
    "−": "-", "⋅": r"\cdot", "×": r"\times", "≤": r"\le", "≥": r"\ge", "≈": r"\approx", "⟺": r"\iff",
    "→": r"\to", "∞": r"\infty", "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor", "⌋": r"\rfloor",
    "∑": r"\sum",
}  # fmt: skip


def read_back(formulas: Iterable[str]) -> list[str]:
    """Formulas of Typst as LaTeX without a space, each a formula of one document."""
    source = "".join(f"${formula}$\n\n" for formula in formulas)
    told = library.query(source.encode(), "math.equation", field="body", ignore_system_fonts=True)
    return [_latex(tree) for tree in json.loads(told)]


def bare(latex: str) -> str:
    """LaTeX without what shows nowhere: spaces of the source, and fences that say they grow."""
    for word in (r"\left", r"\right"):
        for fence in "(⌈⌊)⌉⌋":
            latex = latex.replace(f"{word}{_SIGNS.get(fence, fence)}", _SIGNS.get(fence, fence))
    return latex.replace(" ", "")


def _latex(tree: Mapping[str, Any]) -> str:
    match tree["func"]:
        case "sequence":
            return "".join(_latex(child) for child in tree["children"])
        case "space":
            return ""
        case "symbol":
            return _SIGNS.get(str(tree["text"]), str(tree["text"]))
        case "text":
            return _text(tree["text"])
        case "h":
            return {"0.17em": r"\,", "1em": r"\quad"}[tree["amount"]]
        case "frac":
            return rf"\frac{{{_latex(tree['num'])}}}{{{_latex(tree['denom'])}}}"
        case "root":
            return rf"\sqrt{{{_latex(tree['radicand'])}}}"
        case "attach":
            return _attached(tree)
        case "op":
            return f"\\{tree['text']['text']}"
        case "class":
            return _latex(tree["body"])
        case "lr" | "limits":
            return _latex(tree["body"])
    raise AssertionError(f"Typst reads {tree}")


def _text(text: str) -> str:
    number = text.replace(",", "").replace(".", "").isdigit()
    return text.replace(",", "{,}") if number else rf"\text{{{text.replace(' ', '')}}}"


def _attached(tree: Mapping[str, Any]) -> str:
    base = tree["base"]
    text = _latex(base)
    over = base["func"] == "limits" and "t" in tree
    if over:
        return rf"\overset{{{_latex(tree['t'])}}}{{{text}}}"
    indexed = base["func"] == "attach" and base["base"]["func"] in ("symbol", "text") and "b" in base
    out = f"{{{text}}}" if indexed and "t" in tree else text
    if "b" in tree:
        long = tree["b"]["func"] == "text" and len(tree["b"]["text"]) > 1
        below = rf"\text{{{tree['b']['text']}}}" if long else _latex(tree["b"])
        out += f"_{below}" if base["func"] == "op" else f"_{{{below}}}"
    return out + (f"^{{{_latex(tree['t'])}}}" if "t" in tree else "")
