"""A call of `workings.value`: what it is asked, what it gives, and how one types it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from workings.derivation import Derivation
from workings.scenario import Scenario
from workings.units import Format
from workings.values.notation import glyphs_named, letters_in
from workings.values.worked import Worked, work

DIGITS = 5  # of `workings.value`, if nothing is said
WIDTH = 88  # a longer call has an argument a line


@dataclass(frozen=True)
class Call:
    """An entry, where (as one names it, and read), what is set, and how it is shown.

    `over` is what the scenario has beside its own: it may count for nothing here, other than `settings`.
    """

    derivation: Derivation
    at: str | None
    scenario: Scenario | None
    settings: Mapping[str, str]
    style: Format
    notation: str | Mapping[str, str] | None = None
    over: Mapping[str, str] = field(default_factory=dict)

    def worked(self) -> Worked:
        """What the call gives. Raises the errors of `work`, and NotationError."""
        letters = letters_in(self.derivation, glyphs_named(self.notation))
        done = work(self.derivation, self.scenario, self.settings, self.style)
        return replace(done, letters=letters)

    def python(self, width: int | None = WIDTH) -> str:
        """The call as one types it; where it is wider, with an argument a line."""
        usual, style = Format(), self.style
        units = style.units[: -len(usual.units)] if style.units != usual.units else self._kept()
        chosen = {
            "set": dict(self.settings), "units": list(units),
            "digits": None if style.digits == DIGITS else style.digits, "decimals": style.decimals,
            "notation": self.notation if isinstance(self.notation, str) else dict(self.notation or {}),
        }  # fmt: skip
        said = {name: value for name, value in chosen.items() if value not in (None, {}, [])}
        arguments = [
            quoted(self.derivation.id), *([f"at={self._where(self.at)}"] if self.at else []),
            *(f"{name}={_typed(value)}" for name, value in said.items()),
        ]  # fmt: skip
        line = f"workings.value({', '.join(arguments)})"
        if width is None or len(line) <= width:
            return line
        return "\n".join(["workings.value(", *(f"    {argument}," for argument in arguments), ")"])

    def _kept(self) -> tuple[str, ...]:
        """The units of a document that a call without units would leave for smaller ones."""
        if self.style.fit:
            return ()
        fitted = replace(self, style=self.style._replace(fit=True)).worked()
        pairs = zip(_units(self.worked()), _units(fitted), strict=True)
        return tuple(dict.fromkeys(here for here, there in pairs if here != there))

    def _where(self, at: str) -> str:
        """The scenario as one types it."""
        if not self.over:
            return quoted(at)
        texts = ", ".join(f"{quoted(name)}: {quoted(text)}" for name, text in self.over.items())
        return f"workings.load_scenario({quoted(at)}, {{{texts}}})"


def _units(done: Worked) -> tuple[str, ...]:
    return (done.shown.unit, *(one.shown.unit for one in done.inputs))


def _typed(value: object) -> str:
    """A value as Python reads it: texts in double quotes, counts as numbers."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{quoted(name)}: {_typed(one)}' for name, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_typed, value))}]"
    text = str(value)
    return text if re.fullmatch(r"0|[1-9][0-9]{0,29}", text) else quoted(text)


def quoted(text: str) -> str:
    """A text between double quotes: what JSON escapes Python reads back."""
    return json.dumps(text, ensure_ascii=False)
