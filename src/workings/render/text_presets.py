"""Presets on a terminal: which there are, and one with its figures and where each is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from workings.render.text import WIDTH


def kinds_text(names: Mapping[str, Sequence[str]]) -> str:
    """Each kind with its names."""
    lines = []
    for kind, listed in names.items():
        inside = wrap(", ".join(listed), WIDTH - 2, break_on_hyphens=False, break_long_words=False)
        lines += [kind, *(f"  {line}" for line in inside)]
    return "\n".join(lines)


def titles_text(presets: Mapping[str, Mapping[str, Any]]) -> str:
    """The names of a kind with what each is called."""
    width = max(map(len, presets))
    return "\n".join(
        f"{name:{width}}  {preset.get('name', '')}".rstrip() for name, preset in presets.items()
    )


def preset_text(name: str, preset: Mapping[str, Any]) -> str:
    """Every key of a preset with its value and, where it has one, its source."""
    rows = [(key, *_figure(entry)) for key, entry in preset.items() if key not in ("name", "glyphs")]
    rows += [(key, letter, "") for key, letter in preset.get("glyphs", {}).items()]
    keys, values = (max((len(row[i]) for row in rows), default=0) for i in (0, 1))
    out = [f"{name}: {preset['name']}" if "name" in preset else name, ""]
    for key, value, source in rows:
        head = f"  {key:{keys}}  {value:{values}}  "
        room = WIDTH - len(head)
        first, *rest = wrap(source, room, break_on_hyphens=False, break_long_words=False) or [""]
        out += [f"{head}{first}".rstrip(), *(f"{' ' * len(head)}{line}" for line in rest)]
    return "\n".join(out)


def _figure(entry: Any) -> tuple[str, str]:
    """A figure's value and source."""
    if isinstance(entry, dict):
        return str(entry["value"]), str(entry["source"])
    return str(entry), ""
