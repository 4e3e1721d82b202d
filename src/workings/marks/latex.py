"""The commands of LaTeX as tokens."""

from __future__ import annotations

import re
from dataclasses import replace

from workings.marks.latex_forms import Forms
from workings.marks.quantity import units_of
from workings.marks.words import listed, meaning

_WORDS = re.compile(r"[\s&]*\\(?:text\w*|mbox)\s*(?=\{)")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)\*?|(.))", re.DOTALL)


class Latex(Forms):
    """The commands of LaTeX."""

    def command(self, at: int, end: int, math: bool) -> int:
        """A LaTeX command, or an escaped sign."""
        found = _COMMAND.match(self.source, at, end)
        if found is None:
            return at + 1
        name, after = found[1] or found[2], found.end()
        for kind, form in (("fractions", self.fraction), ("choices", self.choice)):
            if name in listed("latex", kind):
                return form(at, after, end)
        if name in listed("latex", "words"):
            inside = self.argument(after, end)
            return self.wordy(*inside) if inside else after
        if name in ("underbrace", "overbrace"):
            inside = self.argument(after, end)
            if inside is None:
                return after
            self.text(*inside)
            rest = (
                self.argument(inside[1] + 2, end)
                if self.source[inside[1] + 1 : inside[1] + 2] in "_^"
                else None
            )
            return rest[1] + 1 if rest else inside[1] + 1
        if name in listed("latex", "breaks"):
            inside = self.argument(after, end)
            self.put("stop", "\n", at, after)
            return inside[1] + 1 if inside else after
        if name in ("quad", "qquad") and (stop := self.remark(after, end)) is not None:
            return stop
        if name == "\\":
            self.put("stop", "\n", at, after)
        elif name in meaning("latex.symbols"):
            self.put("operator", meaning("latex.symbols")[name], at, after)
        elif name in meaning("latex.relations"):
            self.put("relation", meaning("latex.relations")[name], at, after)
        elif name in ("lceil", "lfloor"):
            self.put("open", name[1:], at, after)
        elif name in ("rceil", "rfloor"):
            self.put("close", ")", at, after)
        elif name == "sqrt" and (stop := self.root(after, end)) is not None:
            return stop
        elif name in listed("latex", "unread") or (name == "sqrt" and self.source.startswith("[", after)):
            self.put("other", name, at, after)
        elif name in meaning("functions"):
            self.put("name", name, at, after)
            inside = self.argument(after, end) if name == "sqrt" else None
            if inside:
                self._bracketed(*inside)
                return inside[1] + 1
        elif name in ("%", "$", "#"):
            self.put("word", name, at, after)
        elif name == "_":
            self.put("name", "_", at, after)
        elif name in ("{", "["):
            self.put("open", "(", at, after)
        elif name in ("}", "]"):
            self.put("close", ")", at, after)
        elif name in listed("latex", "looks") or name == " ":
            self.spaced = True
        elif name in ("ldots", "dots", "cdots"):
            self.put("other", "…", at, after)
        elif math and name.isalpha():
            self.put("name", meaning("latex.letters").get(name, name), at, after)
        else:
            self.put("other", "\\", at, after)
        return after

    def remark(self, at: int, end: int) -> int | None:
        """Where the line ends of which a column of words says why: `&& \\text{both are rounded}`."""
        stop = at
        while stop < end and not self.source.startswith("\\\\", stop):
            closed = self.closing.get(stop, stop) if self.source[stop] == "{" else stop
            stop = max(closed, stop) + 1
        column = self.source.startswith("&&", at)
        found = (_WORDS.search if column else _WORDS.match)(self.source, at, min(stop, end))
        inside = self.argument(found.end(), end) if found is not None else None
        if inside is None or units_of((self.source[slice(*inside)].strip(),)):
            return None
        return min(stop, end)

    def below(self, at: int, end: int) -> int:
        """A subscript belongs to the name before it."""
        command = _COMMAND.match(self.source, at + 1, end)  # `d_\\text{in}` as `d_{in}`
        inside = self.argument(command.end() if command else at + 1, end)
        stop = inside[1] + 1 if inside else command.end() if command else min(at + 2, end)
        raw = self.source[at + 1 : stop]
        words = re.sub(r"\\(?!max|min|ell|star)[a-zA-Z]+|[{}\\\s,$]", "", raw)
        if self.out and self.out[-1].kind == "name":
            last = self.out.pop()
            self.out.append(replace(last, text=f"{last.text}_{words}", end=stop))
        else:
            self.put("other", "_", at, stop)
        return stop

    def wordy(self, start: int, end: int) -> int:
        """Words inside a formula: `\\text{GB}`, `\\operatorname{lr}`."""
        before = len(self.out)
        self.text(start, end)
        self.out[before:] = [
            replace(token, kind="word") if token.kind == "name" else token for token in self.out[before:]
        ]
        return end + 1
