"""A command that works as it stands, for who asked for a value and gave too few letters."""

from __future__ import annotations

import shlex
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError
from workings.formula import DoesNotEvaluateError
from workings.scenario import PRESET_SECTIONS, ScenarioError, load_scenario, preset_names
from workings.values.desk import Desk
from workings.values.worked import work


def command_for(what: Derivation) -> str | None:
    """A command that was tried, with values of the chapter; None where they do not serve."""
    chosen = _chapters().get(what.topic, {})
    own = {n for letter, concept in what.letters.items() for n in (letter, concept.name)}
    own |= PRESET_SECTIONS.keys()
    given = Desk(None).settings_of(chosen.get("set", ""))
    settings = {name: text for name, text in given.items() if name in own}
    for preset in dict.fromkeys((*chosen.get("at", ()), *preset_names("scenarios"))):
        try:
            heard = work(what, load_scenario(preset, settings), shared=settings).settings
            work(what, load_scenario(preset, heard), heard)
        except (DoesNotEvaluateError, DoesNotApplyError, ScenarioError):
            continue
        pairs = "".join(f" --set {shlex.quote(f'{name}={text}')}" for name, text in heard.items())
        return f"workings value {what.id} --at {preset}{pairs}"
    return None


@cache
def _chapters() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))
