"""The tokens of a sentence as words: a hyphen joins them, a dash or a mark in front is left out."""

from __future__ import annotations

from collections.abc import Sequence

from workings.marks.token import Token


def joined(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Words with a hyphen as one: `GPU-hours`, `8-bit`, `Llama-3`; a bullet's dash is no minus."""
    out: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.kind == "operator" and token.text == "-" and after is not None:
            before = out[-1] if out else None
            if before is None and after.spaced:
                place += 1
                continue
            if token.math and not (before is not None and before.kind == after.kind == "word"):
                before = None
            if before is not None and not token.spaced and not after.spaced:
                if "word" in (before.kind, after.kind):
                    out[-1] = Token("word", f"{before.text}-{after.text}", before.start, after.end, False,
                                    before.spaced)  # fmt: skip
                    place += 2
                    continue
                calculated = len(out) > 2 and (out[-2].kind, out[-3].kind) == ("open", "operator")
                if before.kind == after.kind == "number" and not calculated:  # 3-5 days: a range
                    out[-1] = Token("other", "range", before.start, after.end, False, before.spaced)
                    place += 2
                    continue
        out.append(token)
        place += 1
    return tuple(out)


def unnumbered(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without the `(b)` or `(2)` that a part begins with, which multiplies nothing."""
    kinds = [token.kind for token in tokens[:4]]
    if kinds[:1] + kinds[2:3] != ["open", "close"] or tokens[0].math or len(kinds) < 4:
        return tokens
    inside, after = tokens[1], tokens[3]
    short = inside.kind in ("word", "number") and len(inside.text) <= 3
    return tokens[3:] if short and after.spaced and after.kind != "operator" else tokens
