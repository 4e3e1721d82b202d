"""Other values of a page's scenario: what `--set` may name, and by which key it is meant."""

from __future__ import annotations

from collections.abc import Mapping

from workings.scenario import PRESET_SECTIONS, ScenarioError
from workings.scenario.names import key_named, keys
from workings.vocabulary import concept_named


def set_over(scenario: str | None, settings: Mapping[str, str]) -> dict[str, str]:
    """Settings by the keys of a scenario that they name. Raises ScenarioError for other names.

    `model` and `hardware` name another preset, as they do elsewhere.
    """
    if settings and scenario is None:
        raise ScenarioError(
            f"--set {min(settings)}: found a page without a scenario, expected one whose front matter "
            "names it"
        )
    found: dict[str, str] = {}
    for name, text in settings.items():
        key = name if name in PRESET_SECTIONS else _key(name)
        if key in found:
            raise ScenarioError(f"--set {name}: found {key} set too, expected it once")
        found[key] = text
    return found


def _key(name: str) -> str:
    """The key that a name stands for. Raises ScenarioError for one that is none of a scenario."""
    key, concept = key_named(name), concept_named(name)
    if not key:
        known = ", ".join(sorted(set(keys().values())))
        raise ScenarioError(
            f"--set {name[:60]}: found no key of the page's scenario, expected one of {known}"
        )
    if concept is not None and concept.supplied != key:  # dp is what FSDP shares in, and a key too
        raise ScenarioError(f"--set {name}: found {concept.meaning}, expected {key} or another key of it")
    return key
