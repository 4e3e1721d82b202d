r"""What a formula says, sign for sign: LaTeX read without a word of how ours is written, and a DOM.

Both become nested lists: signs in order, `["frac", above, below]`, `["sub", base, index]`, `["sup", …]`,
`["root", …]`, `["over", …]`, `["under", …]`; gaps are no tokens.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Tokens: TypeAlias = list[Any]

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d[\d.]*(?:\{,\}\d+)*(?:\.\d+)?|[^\s]")
_SIGNS = {
    "-": "−", r"\cdot": "·", r"\times": "×", r"\le": "≤", r"\ge": "≥", r"\approx": "≈", r"\iff": "⟺",
    r"\to": "→", r"\infty": "∞", r"\sum": "∑", r"\lceil": "⌈", r"\rceil": "⌉", r"\lfloor": "⌊",
    r"\rfloor": "⌋", r"\max": "max", r"\min": "min", r"\log": "log",
}  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_NOTHING = (r"\,", r"\quad", r"\left", r"\right", "&")

# The same of an element of the page: rows dissolve, tokens are their text.
OF_ELEMENT = """
(root) => {
  const of = (node) => {
    const parts = [...node.children].map(of);
    switch (node.localName) {
      case "math": case "mrow": return parts.flat();
      case "mspace": return [];
      case "mi": case "mn": case "mo": case "mtext":
        return [node.textContent.replaceAll("\\u00a0", " ").trim()];
      case "mfrac": return [["frac", ...parts]];
      case "msqrt": return [["root", parts.flat()]];
      case "msub": return [["sub", ...parts]];
      case "msup": return [["sup", ...parts]];
      case "munder": return [["under", ...parts]];
      case "mover": return [["over", ...parts]];
      case "munderover": return [["sup", [["sub", parts[0], parts[1]]], parts[2]]];
      default: throw new Error(node.localName);
    }
  };
  return of(root);
}
"""


def tokens_of(latex: str) -> Tokens:
    """A formula in LaTeX as nested tokens."""
    reader = _Reader(_words_kept(latex))
    found = reader.row(None)
    assert reader.at == len(reader.parts), latex
    return found


def _words_kept(latex: str) -> list[str]:
    r"""Tokens, with `\text{…}` as one."""
    parts: list[str] = []
    for piece in re.split(r"(\\text\{[^}]*\})", latex):
        parts += [piece] if piece.startswith(r"\text{") else _TOKEN.findall(piece)
    return parts


def _start_of_last(out: Tokens) -> int:
    """Where the last sign begins; what stands behind a closing bracket belongs to all of it."""
    start, deep = len(out) - 1, 0
    while start >= 0:
        deep += (out[start] in (")", "⌉", "⌋")) - (out[start] in ("(", "⌈", "⌊"))
        if deep == 0:
            return start
        start -= 1
    raise AssertionError("a bracket is open")


def settled(tokens: Tokens) -> Tokens:
    """The same with every index and exponent on the last sign or bracket before it: `max (…)²`."""
    out: Tokens = []
    for token in tokens:
        if not isinstance(token, list):
            out.append(token)
            continue
        kind, *parts = token
        parts = [settled(part) for part in parts]
        if kind in ("sub", "sup"):
            start = _start_of_last(parts[0])
            out += parts[0][:start]
            parts[0] = parts[0][start:]
        out.append([kind, *parts])
    return out


class _Reader:
    """A cursor over tokens."""

    def __init__(self, parts: list[str]) -> None:
        self.parts, self.at = parts, 0

    def row(self, end: str | None) -> Tokens:
        out: Tokens = []
        while self.at < len(self.parts):
            part = self.parts[self.at]
            self.at += 1
            if part == end:
                return out
            if part in ("_", "^"):
                limits = out[-1] in ("min", "max") and part == "_"
                kind = "under" if limits else {"_": "sub", "^": "sup"}[part]
                start = _start_of_last(out)
                out[start:] = [[kind, out[start:], self.argument()]]
            elif part == "{":
                out += self.row("}")
            else:
                out += self.one(part)
        assert end is None, "a brace is open"
        return out

    def one(self, part: str) -> Tokens:
        if part in _NOTHING:
            return []
        if part == r"\frac":
            return [["frac", self.argument(), self.argument()]]
        if part == r"\sqrt":
            return [["root", self.argument()]]
        if part == r"\overset":
            above = self.argument()
            return [["over", self.argument(), above]]
        if part.startswith(r"\text{"):
            return [part[6:-1].strip()]
        if part[0] == "\\":
            return [_SIGNS.get(part) or _GREEK[part[1:]]]
        return [_SIGNS.get(part, part.replace("{,}", ","))]

    def argument(self) -> Tokens:
        part = self.parts[self.at]
        self.at += 1
        return self.row("}") if part == "{" else self.one(part)
