"""`workings presets`: what there is to start from, each figure with its source."""

import tomllib

import pytest
from documents import run
from looping import each

from workings.scenario import PRESETS, preset_names, read_preset
from workings.scenario.presets import KINDS

FILES = [(kind, name) for kind in KINDS for name in preset_names(kind)]


def output(*arguments: str) -> str:
    result = run("presets", *arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_every_folder_of_presets_is_a_kind() -> None:
    assert {path.name for path in PRESETS.iterdir() if path.is_dir()} == set(KINDS)


def test_without_a_kind_every_kind_is_listed_with_its_names() -> None:
    shown = output()
    assert tuple(line for line in shown.splitlines() if not line.startswith(" ")) == KINDS
    assert set(shown.replace(",", " ").split()) == {*KINDS, *(name for _, name in FILES)}
    assert all(len(line) <= 100 for line in shown.splitlines())


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_lists_its_names_with_their_titles(kind: str) -> None:
    lines = output(kind).splitlines()
    assert [line.split()[0] for line in lines] == preset_names(kind)
    for line in lines:
        name, _, title = line.partition(" ")
        assert title.strip() == read_preset(kind, name)["name"]


@each("kind, name", FILES)
def test_a_preset_is_shown_whole(kind: str, name: str) -> None:
    shown = output(kind, name)
    if kind == "scenarios":
        assert shown == (PRESETS / kind / f"{name}.toml").read_text(encoding="utf-8")
        assert tomllib.loads(shown)["name"]
        return
    words = " ".join(shown.split())
    preset = read_preset(kind, name)
    assert words.startswith(f"{name}: {preset.pop('name')} ")
    figures = preset.get("glyphs") or preset
    for key, entry in figures.items():
        value, source = (entry["value"], entry["source"]) if isinstance(entry, dict) else (entry, "")
        assert f" {key} {value} {' '.join(source.split())}".rstrip() in words


def test_a_figure_stands_beside_its_source() -> None:
    [line] = [line for line in output("hardware", "h100-sxm").splitlines() if " link_one_way " in line]
    assert line.split(maxsplit=3)[1:3] == ["450", "GB/s"]
    assert "18 NVLinks" in output("hardware", "h100-sxm")


@each("kind, name", FILES)
def test_a_preset_is_shown_by_its_name_alone(kind: str, name: str) -> None:
    assert output(name) == output(kind, name)


def test_a_name_has_one_kind() -> None:
    """So that a name alone, also after --at, leaves nothing open."""
    names = [name for _, name in FILES]
    assert len(names) == len(set(names))
    assert not set(names) & set(KINDS)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("nosuch",), "no preset, nor kind of presets, 'nosuch', expected a name or one of models"),
        (("",), "no preset, nor kind of presets, '', expected a name or one of models"),
        (("nosuch", "gpt2"), "no preset, nor kind of presets, 'nosuch'"),
        (("models", "gpt9"), "no model preset 'gpt9', expected gpt2"),
        (("hardware", "gpt2"), "no hardware preset 'gpt2', expected one of a100-40gb-sxm"),
        (("hardware", "h100-sxm.toml"), "no hardware preset 'h100-sxm.toml'"),
        (("scenarios", "../models/gpt2"), "no scenario preset '../models/gpt2'"),
        (("notation", ""), "no notation preset ''"),
        (("models", "x" * 5000), f"no model preset '{'x' * 60}', expected"),
    ],
)  # fmt: skip
def test_what_is_no_preset_is_said_in_one_sentence(arguments: tuple[str, ...], problem: str) -> None:
    result = run("presets", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"workings: {problem}")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 600
