"""Several derivations at one set of settings, as a question of a model and a device asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workings.derivation import Derivation
from workings.scenario import PRESET_SECTIONS, Scenario, ScenarioError
from workings.units import Format
from workings.values.notation import letters_in, settings_renamed
from workings.values.worked import Worked, work


def work_together(
    entries: Sequence[Derivation],
    scenario: Scenario | None,
    settings: Mapping[str, str],
    style: Format,
    glyphs: Mapping[str, str],
) -> list[Worked]:
    """Evaluate each at the settings, by the letters of a notation, of which it takes those that it knows.

    Raises what `work` raises, and ScenarioError for a setting that changes nothing in any of them.
    """
    found: list[Worked] = []
    idle = set(settings) if len(entries) > 1 else set()
    if scenario is not None and scenario.alone:  # its model and hardware are where the question is asked
        idle -= set(PRESET_SECTIONS)
    for what in entries:
        letters = letters_in(what, glyphs)
        own = settings_renamed(settings, what, letters)
        if len(entries) == 1:
            return [work(what, scenario, own, style)]
        found.append(work(what, scenario, {}, style, own))
        idle = {name for name, own_name in zip(settings, own, strict=True)
                if name in idle and own_name in found[-1].idle}  # fmt: skip
    if idle:
        names = [what.id for what in entries]
        raise ScenarioError(
            f"--set {min(idle)}: it changes nothing in {', '.join(names[:-1])} or {names[-1]}, expected "
            "a name that at least one of them takes"
        )
    return found
