"""The example of an entry: the scenario that its chapter is worked out at, and what is set beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError
from workings.document.directive import directive_of
from workings.document.front import read_source
from workings.document.inline import markdown
from workings.formula import DoesNotEvaluateError
from workings.scenario import PRESET_SECTIONS, ScenarioError, preset_names
from workings.scenario.names import key_named
from workings.units import Format
from workings.values.desk import Desk
from workings.values.worked import Worked, work

STYLE = Format(digits=4)


@dataclass(frozen=True, slots=True)
class Examples:
    """The scenarios of a chapter's examples, the first that serves being taken, and settings for all."""

    scenarios: tuple[str, ...] = ()
    settings: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """An entry in numbers: at which scenario, and with which settings over it."""

    done: Worked
    scenario: str
    settings: Mapping[str, str]

    @property
    def over(self) -> Mapping[str, str]:
        """The settings that are keys of the scenario, by these."""
        return {key: text for name, text in self.settings.items() if (key := self._key(name))}

    @property
    def letters(self) -> Mapping[str, str]:
        """The settings of concepts that the scenario has not."""
        return {name: text for name, text in self.settings.items() if not self._key(name)}

    def _key(self, name: str) -> str:
        """What a setting replaces in the scenario, if anything: a model has no keys of a layout."""
        if name in PRESET_SECTIONS:
            return name
        key, scenario = key_named(name), self.done.scenario
        alone = scenario is not None and scenario.alone and key.partition(".")[0] not in scenario.named
        return "" if alone else key


def examples_in(source: Path) -> Mapping[str, Examples]:
    """What the `topic` directives of a catalogue's source choose, by chapter; nothing without one."""
    return dict(_chosen(source)) if source.is_file() else {}


def _chosen(source: Path) -> Iterator[tuple[str, Examples]]:
    for token in markdown().parse(read_source(source).body):
        found = directive_of(token.info, token.content, 0) if token.type == "fence" else None
        if found and found.name == "topic":
            named = (found.options.get("at", ""), *found.options.get("or", "").split())
            chosen = Examples(tuple(filter(None, named)), found.options.get("set", ""))
            yield found.argument.replace("-", " "), chosen


def example_of(what: Derivation, examples: Mapping[str, Examples]) -> Example | None:
    """The entry at the first scenario that it is for, that takes the settings and has its letters."""
    chosen = examples.get(what.topic, Examples())
    own = {n for letter, concept in what.letters.items() for n in (letter, concept.name)}
    own |= PRESET_SECTIONS.keys()
    given = _DESK.settings_of(chosen.settings)
    settings = {name: text for name, text in given.items() if name in own}
    for name in dict.fromkeys((*chosen.scenarios, *preset_names("scenarios"))):
        try:
            scenario = _desk(name).scenario(settings)
            done = work(what, scenario, None, STYLE, shared=settings)
            return Example(done, name, {n: t for n, t in settings.items() if n not in done.idle})
        except (DoesNotEvaluateError, DoesNotApplyError, ScenarioError):
            continue
    return None


_DESK = Desk(None)
_DESKS: dict[str, Desk] = {}


def _desk(name: str) -> Desk:
    """The desk of a scenario, which keeps what it has loaded."""
    return _DESKS.setdefault(name, Desk(name))


def used_by() -> Mapping[str, tuple[Derivation, ...]]:
    """For each id the entries that use its result, in reading order."""
    found: dict[str, dict[str, Derivation]] = {}
    for what in catalogue.every():
        for use in what.uses.values():
            found.setdefault(use.derivation.id, {})[what.id] = what
    return {id_: tuple(users.values()) for id_, users in found.items()}
