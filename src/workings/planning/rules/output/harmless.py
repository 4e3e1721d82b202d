"""Names from outside, made harmless to print."""

from __future__ import annotations

import unicodedata

MOST = 240
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def harmless(words: str, most: int = MOST) -> str:
    """One line, cut where it gets long; characters that act or hide are spelled out."""
    cut = words if len(words) <= most else words[: most - 1] + "…"
    return "".join(_spelled(c) if unicodedata.category(c) in UNSEEN else c for c in cut)


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
