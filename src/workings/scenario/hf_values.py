"""Values of a Hugging Face config, checked where they are used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workings.scenario.errors import ScenarioError

MOST = 10**15
_ABSENT = object()


@dataclass(frozen=True)
class Config:
    """A config's values, with the defaults of its class for keys that it leaves out.

    A key without a default has to be given. `aliases` are other names that transformers takes for a
    key.
    """

    file: str
    values: Mapping[str, Any]
    defaults: Mapping[str, Any]
    aliases: Mapping[str, str] = field(default_factory=dict)

    def whole(self, key: str, least: int = 1) -> int:
        """A whole number. Raises ScenarioError."""
        value = self.maybe(key, least)
        if value is None:
            raise refusal(self.file, key, None, _whole_from(least), self.values)
        return value

    def maybe(self, key: str, least: int = 1) -> int | None:
        """A whole number, or None where it is null or, by default, nothing. Raises ScenarioError."""
        name, value = self._given(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
            raise refusal(self.file, name, value, _whole_from(least))
        return value

    def flag(self, key: str) -> int:
        """1 for true, 0 for false. Raises ScenarioError."""
        name, value = self._given(key)
        if not isinstance(value, bool):
            raise refusal(self.file, name, value, "true or false", self.values)
        return int(value)

    def numbers(self, key: str) -> list[int]:
        """A list of whole numbers from 0; null is an empty one. Raises ScenarioError."""
        name, value = self._given(key)
        listed = [] if value is None else value
        numbers = isinstance(listed, list) and all(type(n) is int and n >= 0 for n in listed)
        if not numbers:
            raise refusal(self.file, name, value, "a list of whole numbers from 0")
        return list(listed)

    def must_be(self, key: str, wanted: Any, why: str) -> None:
        """Refuse another value than `wanted`. Raises ScenarioError."""
        name, value = self._given(key)
        if type(value) is not type(wanted) or value != wanted:
            raise refusal(self.file, name, value, f"{json.dumps(wanted)}: {why}")

    def divides(self, key: str, of: str) -> int:
        """The quotient of two whole numbers, which must be one. Raises ScenarioError."""
        divisor, number = self.whole(key), self.whole(of)
        if number % divisor:
            raise refusal(self.file, key, divisor, f"a divisor of {of} = {number}")
        return number // divisor

    def _given(self, key: str) -> tuple[str, Any]:
        """The name under which a key is given, and its value. Raises ScenarioError if two differ."""
        value, alias = self.values.get(key, _ABSENT), self.aliases.get(key, key)
        other = self.values.get(alias, _ABSENT)
        if value is _ABSENT:
            return (key, self.defaults.get(key)) if other is _ABSENT else (alias, other)
        if other is not _ABSENT and other != value:
            raise refusal(self.file, alias, other, f"{_shown(value)}, as {key} has")
        return key, value


def refusal(
    file: str, key: str, found: object, expected: str, values: Mapping[str, Any] | None = None
) -> ScenarioError:
    """The error of a value that is not as expected; of `values`, the key may be missing."""
    nothing = values is not None and found is None and key not in values
    shown = "nothing" if nothing else _shown(found)
    return problem(file, key, f"found {shown}, expected {expected}")


def problem(file: str, key: str, what: str) -> ScenarioError:
    """The one sentence of an error: file, key, what was found and what was expected."""
    return ScenarioError(f"{file}: {' '.join(key.split())[:100]}: {what}")


def _shown(value: object) -> str:
    """A value as JSON has it, cut short."""
    try:
        return json.dumps(value)[:60]
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__


def _whole_from(least: int) -> str:
    return f"a whole number from {least} to 10^15"
