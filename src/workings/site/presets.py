"""A page for each kind of preset: every one with its figures, and where each figure is from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workings.document.blocks import Block, Code, Document, Heading, Line, Link, Prose, Table, Text
from workings.document.blocks import Verbatim as Kept
from workings.document.inline import ADDRESS
from workings.scenario import presets
from workings.site.place import INDEX, Place, Way

SAID = {
    "models": "Models by name, each figure with its source.",
    "hardware": "Devices and their networks by name, each figure with its source.",
    "scenarios": "A model, a layout and hardware together: what a formula is worked out at.",
    "notation": "Other letters for the same concepts, in everything that is printed.",
}


def preset_places() -> tuple[Place, ...]:
    """The kinds of presets, a page each."""
    return tuple(_place(kind) for kind in presets.KINDS)


def _place(kind: str) -> Place:
    blocks: list[Block] = [Prose((Text(SAID[kind]),))]
    finds = []
    for name in presets.preset_names(kind):
        preset = presets.read_preset(kind, name)
        blocks += [Heading(2, (Text(name),)), *_preset(kind, name, preset)]
        finds.append((name, name, str(preset.get("name", ""))))
    title = f"Presets: {kind}"
    beside = tuple(Way(f"Presets: {one}", f"presets/{one}.html") for one in presets.KINDS)
    document = Document((Text(title),), tuple(blocks), {})
    return Place(f"presets/{kind}.html", "Preset", title, SAID[kind], document,
                 (Way("Start", INDEX),), beside=beside, finds=tuple(finds))  # fmt: skip


def _preset(kind: str, name: str, preset: dict[str, Any]) -> Iterator[Block]:
    """What a preset is called and holds; a scenario as its file says it, remarks and all."""
    if said := preset.get("name"):
        yield Prose((Text(str(said)),))
    if kind == "scenarios":
        yield Kept(presets.preset_file(kind, name).read_text(encoding="utf-8"))
        return
    rows = [_row(key, entry) for key, entry in preset.items() if key not in ("name", "glyphs")]
    rows += [((Code(key),), (Code(str(glyph)),), ()) for key, glyph in preset.get("glyphs", {}).items()]
    head: tuple[Line, ...] = tuple((Text(words),) for words in ("key", "value", "source"))
    if kind == "notation":
        head, rows = ((Text("concept"),), (Text("letter"),)), [row[:2] for row in rows]
    yield Table("", 0, (), "llw"[: len(head)], head, tuple(rows))


def _row(key: str, entry: Any) -> tuple[Line, ...]:
    """A figure, with its source where it has one."""
    if not isinstance(entry, dict):
        return ((Code(key),), (Text(str(entry)),), ())
    return ((Code(key),), (Text(str(entry["value"])),), _source(str(entry["source"])))


def _source(text: str) -> Line:
    return (Link((Text(text),), text),) if ADDRESS.fullmatch(text) and "://" in text else (Text(text),)
