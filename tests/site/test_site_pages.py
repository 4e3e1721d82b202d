"""Pages of the site before they are written: what stands on the page of an entry, a chapter, a guide."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from looping import each

from workings import catalogue
from workings.check.rules import every_rule
from workings.derivation import Derivation
from workings.document.blocks import (
    Block,
    Chain,
    Gantt,
    Heading,
    Items,
    Link,
    Math,
    Prose,
    Table,
    Worked,
    walk,
)
from workings.document.guide import read_guide
from workings.errors import UserError
from workings.formula import parse_formula
from workings.live.program import Program
from workings.render.html import HtmlWriter
from workings.render.notebook_calls import calls_of
from workings.site import build
from workings.site.chapter import chapter_place, index_place
from workings.site.code import pieces
from workings.site.counting import program_anchor, program_places, runs
from workings.site.entry import Around, entry_place
from workings.site.example import Examples, example_of, examples_in, used_by
from workings.site.frame import Frame, assets
from workings.site.guides import lead_to
from workings.site.letters import other_letters
from workings.site.place import Place, Way, relative
from workings.site.presets import preset_places
from workings.site.proved import in_words, proved
from workings.site.reading import Told, reading_place, told_around
from workings.site.rules import rule_places
from workings.site.saying import first_sentence
from workings.site.symbols import symbols_by_letter
from workings.verification.verified import load

SOURCE = Path(__file__).parents[2] / "reports" / "catalogue" / "source.md"


@cache
def place_of(id_: str) -> Place:
    what = catalogue.get(id_)
    return page_of(what)


def page_of(what: Derivation) -> Place:
    topic = what.module.split(".")[2]
    name = what.module.split(".")[3]
    section = next(one for one in catalogue.sections(topic) if one.name == name)
    return entry_place(what, Around(topic, section, None, None, used_by().get(what.id, ())), examples())


@cache
def examples() -> dict[str, Examples]:
    return dict(examples_in(SOURCE))


def under(place: Place, title: str) -> list[Block]:
    """The blocks below a heading."""
    found: list[Block] = []
    here = False
    for block in place.document.blocks:
        if isinstance(block, Heading):
            here = "".join(str(getattr(piece, "text", "")) for piece in block.line) == title
        elif here:
            found.append(block)
    return found


def said(value: object) -> str:
    """All words of some blocks."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple | list):
        return " ".join(map(said, value))
    fields = getattr(value, "__dataclass_fields__", {})
    return " ".join(said(getattr(value, name)) for name in fields)


def links(value: object) -> Iterator[Link]:
    if isinstance(value, Link):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from links(one)
    else:
        for name in getattr(value, "__dataclass_fields__", {}):
            yield from links(getattr(value, name))


def test_an_entry_begins_with_its_result_and_stands_in_numbers_before_it_is_derived() -> None:
    place = place_of("ring-all-reduce")
    assert place.title == "Bytes one rank sends in a ring all-reduce"
    formulas = [piece.formula for piece in formulas_of(place.document.blocks[:3])]
    assert formulas[0] == parse_formula("V = 2*(N - 1)/N*S")
    numbered = [
        block.number for block in walk(place.document.blocks) if isinstance(block, Worked | Chain)
    ]
    assert numbered == [1, 2]
    assert "1.75" in said(under(place, "In numbers"))


def formulas_of(value: object) -> Iterator[Math]:
    if isinstance(value, Math):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from formulas_of(one)
    else:
        for name in getattr(value, "__dataclass_fields__", {}):
            yield from formulas_of(getattr(value, name))


def test_a_stranger_reads_in_a_sentence_what_a_page_is_about() -> None:
    place = place_of("ring-all-gather")
    assert place.summary == (
        "Bytes one rank sends in a ring all-gather: V_AG = (N - 1)/N*S. "
        "S is the whole gathered message, of which each rank starts with S/N."
    )
    assert [way.path for way in place.crumbs] == [
        "index.html", "chapters/collectives.html", "chapters/collectives.html#rings",
    ]  # fmt: skip


def test_letters_lead_to_their_symbols_and_results_to_their_entries() -> None:
    table = next(b for b in under(place_of("fsdp-memory"), "In letters") if isinstance(b, Table))
    assert {link.address for link in links(table)} >= {"../symbols.html#N_fsdp", "model-state.html"}


def test_conditions_say_what_it_means_where_they_fail_and_what_answers_then() -> None:
    words = said(under(place_of("devices-for-state"), "When it holds"))
    assert "there is nothing to hold" in words
    found = links(under(place_of("devices-for-state"), "When it holds"))
    assert "devices-for-training-state.html" in {link.address for link in found}


def test_what_uses_a_result_and_what_it_uses_lead_to_each_other() -> None:
    users = {link.address for link in links(under(place_of("ring-all-reduce"), "Used by"))}
    assert "ddp-step-bytes.html" in users
    uses = {link.address for link in links(under(place_of("ddp-step-bytes"), "Uses"))}
    assert "ring-all-reduce.html" in uses


def test_bounds_and_limits_are_special_cases() -> None:
    cases = said(under(place_of("ring-all-gather"), "Special cases"))
    assert "At most" in cases
    assert "As N grows, about" in cases


def test_a_result_is_solved_for_its_letters_only_while_that_is_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = {"solutions": {"S": "V*N/(2*(N - 1))"}, "steps": [], "word": "proved", "sympy": "1",
             "oracle": {"points": 3}}  # fmt: skip
    what = catalogue.get("ring-all-reduce")
    monkeypatch.setattr("workings.site.guards.fresh", lambda _: entry)
    solved = [m.formula for m in formulas_of(under(page_of(what), "Solved for another letter"))]
    assert solved == [parse_formula("S = V*N/(2*(N - 1))")]
    monkeypatch.setattr("workings.site.guards.fresh", lambda _: None)
    assert not under(page_of(what), "Solved for another letter")


def test_the_code_is_that_of_the_entry_of_what_counts_it_and_of_what_runs_then() -> None:
    declared, counted = place_of("ring-all-reduce").listings
    text = "".join(piece for _, piece in declared.pieces)
    assert text.startswith("RING_ALL_REDUCE = derivation(\n")
    assert text.endswith(")")
    assert "".join(piece for _, piece in counted.pieces).startswith("def walk_the_ring(")
    behind = {one.path: one.names for one in counted.runs}
    assert "all_reduce" in behind["code/simulate-ring.html"]
    assert "all_reduce_walk" in behind["code/simulate-_walks.html"]
    assert "walk_the_ring" not in str(behind)  # it stands above


def test_a_page_of_a_program_has_all_that_entries_lead_to_and_leads_back() -> None:
    places = {place.path: place for place in program_places()}
    for what in catalogue.every():
        for one in runs(what):
            anchors = {listing.anchor for listing in places[one.path].listings}
            assert {program_anchor(name) for name in one.names} <= anchors, what.id
    ring = places["code/simulate-ring.html"]
    assert "entries/ring-all-reduce.html" in {way.path for way in ring.beside}
    assert "hop by hop" in ring.summary
    first = next("".join(text for _, text in one.pieces) for one in ring.listings)
    assert first.startswith("@dataclass(frozen=True)\nclass Traffic:")


def test_how_an_entry_is_proved_is_said_in_sentences() -> None:
    said_of = {
        id_: said(tuple(proved(catalogue.get(id_)))) for id_ in ("ring-all-reduce", "ring-all-gather")
    }
    assert "All 4 lines below the first are proved" in said_of["ring-all-reduce"]
    assert "Lines 2 to 4: SymPy simplifies its difference" in said_of["ring-all-reduce"]
    assert "Line 5: the line above divided by it tends to 1 as N grows" in said_of["ring-all-gather"]
    assert "agree at all 24 points" in said_of["ring-all-reduce"]


def test_what_an_entry_says_of_its_proof_holds_whatever_is_set() -> None:
    document = place_of("ring-all-reduce").document
    assert document.desk is not None
    assert document.desk.has_inputs
    writer = HtmlWriter(document)
    assert not any(writer.states(block.line) for block in document.blocks if isinstance(block, Prose))


def test_the_prover_says_nothing_that_has_no_sentence() -> None:
    recorded = {step["how"] for entry in load().values() for step in entry["steps"]}
    assert recorded
    assert [how for how in recorded if in_words(how) == how] == []


def test_what_is_not_on_file_is_not_called_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workings.site.proved.fresh", lambda _: None)
    monkeypatch.setattr("workings.document.provenance.fresh", lambda _: None)
    assert said(tuple(proved(catalogue.get("ring-all-reduce")))).strip() == "Not verified."


@each("text", ["x = 1  # one\n", 'f(\n    """a\nb""",\n)\n', "", "def f():\n    return None"])
def test_pieces_of_python_are_the_text_again(text: str) -> None:
    assert "".join(piece for _, piece in pieces(text)) == text.rstrip("\n")


def test_pieces_of_python_are_told_apart() -> None:
    found = {text: kind for kind, text in pieces("for x in 'a', 12:  # why")}
    assert found["for"] == found["in"] == "keyword"
    assert (found["'a'"], found["12"], found["# why"]) == ("string", "number", "comment")


def test_an_example_is_at_the_first_scenario_that_serves() -> None:
    what = catalogue.get("moe-parameters")
    chosen = {what.topic: Examples(("gpt3-512", "mixtral-8x7b-64"), "")}
    found = example_of(what, chosen)
    assert found is not None
    assert found.scenario == "mixtral-8x7b-64"  # GPT-3 has no experts


def test_settings_of_an_example_are_those_of_its_own_letters() -> None:
    found = example_of(catalogue.get("ring-all-reduce"), examples())
    assert found is not None
    assert found.settings == {"group": "8", "message": "1 GB"}


def test_a_model_on_a_device_has_keys_of_both_and_of_nothing_else() -> None:
    """Layout and training are not in it: what is set of them stays with the letters."""
    found = example_of(catalogue.get("decode-step-time"), examples())
    assert found is not None
    assert (found.scenario, found.over) == ("llama3-70b", {"hardware": "h200-sxm"})
    assert {"tp", "batch", "served_width", "cache_width"} <= found.letters.keys()
    room = example_of(catalogue.get("largest-serving-batch"), examples())
    assert room is not None
    assert room.over == {"hardware": "h200-sxm", "hardware.memory": "127 GB"}


def test_an_example_has_no_device_where_none_counts() -> None:
    found = example_of(catalogue.get("kv-token-bytes"), examples())
    assert found is not None
    assert (found.over, found.letters) == ({}, {"cache_width": "1 byte"})


@pytest.mark.parametrize(
    "id_", ["dropped-share", "fsdp-memory", "kv-token-bytes", "decode-step-time", "mla-serving-memory"]
)
def test_an_example_follows_its_inputs_beside_settings_that_count_for_nothing_in_it(id_: str) -> None:
    document = place_of(id_).document
    [worked] = [block for block in walk(document.blocks) if isinstance(block, Worked)]
    assert document.desk is not None
    assert Program(document.desk).follow(worked.source) is not None
    [call] = calls_of(worked, document)
    found = example_of(catalogue.get(id_), examples())
    assert found is not None
    assert call.worked().value == found.done.value


def test_other_letters_are_those_that_a_notation_changes() -> None:
    letters = other_letters(catalogue.get("attention-parameters"))
    assert letters["megatron"]["D"] == "<mi>h</mi>"
    assert "scaling-book" not in letters or "D" not in letters["scaling-book"]


def test_a_chapter_has_its_sections_and_entries_in_the_authored_order() -> None:
    place = chapter_place("collectives", None, None, Told())
    addresses = [link.address for link in links(place.document)]
    wanted = [f"../entries/{what.id}.html" for what in catalogue.every("collectives")]
    assert addresses == wanted
    headings = [said(b.line).strip() for b in place.document.blocks if isinstance(b, Heading)]
    assert headings == [section.title for section in catalogue.sections("collectives")]


def test_the_index_leads_to_every_chapter_in_order() -> None:
    items = next(b for b in index_place(()).document.blocks if isinstance(b, Items))
    assert [link.address for link in links(items)] == [
        f"chapters/{topic.replace('_', '-')}.html" for topic in catalogue.topics()
    ]


DIRECTIVES = SOURCE.parents[2] / "benchmarks"


def test_a_chapter_has_the_figures_of_the_report_and_the_reading_page_what_guards_all() -> None:
    told = told_around(SOURCE, "pipeline", DIRECTIVES)
    place = chapter_place("pipeline", None, None, told)
    charts = [block for block in place.document.blocks if isinstance(block, Gantt)]
    assert [chart.number for chart in charts] == [1, 2, 3, 4]
    before, after = told_around(SOURCE, "parameters", DIRECTIVES).before, told.after
    assert (before, after) == ((), ())
    assert any(isinstance(b, Table) for b in told_around(SOURCE, "parameters", DIRECTIVES).after)
    place = reading_place(SOURCE, DIRECTIVES)
    headings = [said(b.line).strip() for b in place.document.blocks if isinstance(b, Heading)]
    assert headings == ["Units and signs", "What guards these formulas"]
    assert any(isinstance(block, Table) for block in place.document.blocks)


def test_without_the_source_of_the_report_pages_say_how_they_are_read_all_the_same() -> None:
    place = reading_place(Path("nowhere.md"), None)
    assert "counted the result a second way" in said(place.document.blocks)
    assert told_around(Path("nowhere.md"), "pipeline", None) == Told()


def test_templates_of_ones_own_come_before_ours(tmp_path: Path) -> None:
    page = tmp_path / "html" / "site" / "page.html"
    page.parent.mkdir(parents=True)
    page.write_text("<title>{{ bare }} of ours</title>", encoding="utf-8")
    (page.parent / "site.css").write_text("body { color: teal }", encoding="utf-8")
    written = Frame((), tmp_path).written(place_of("ring-all-reduce"))
    assert written == "<title>Bytes one rank sends in a ring all-reduce of ours</title>"
    assert assets(tmp_path)["site.css"].endswith("body { color: teal }")
    assert assets(tmp_path)["site.js"] == assets()["site.js"]
    with pytest.raises(UserError, match="no such folder"):
        assets(tmp_path / "nothing")


def test_presets_stand_with_their_sources() -> None:
    models, hardware, scenarios, _ = preset_places()
    assert "DeepSeek" in said(models.document)
    assert "NVIDIA H100 data sheet" in said(hardware.document)
    assert 'preset = "xxl-ffn"' in said(scenarios.document)


def test_rules_stand_in_their_own_words() -> None:
    lint, check = rule_places()
    assert "a replica takes t·c·p devices" in said(lint.document)
    assert "A percentage is not what the two amounts come to" in said(check.document)
    assert "in peace" not in said(check.document)
    assert "In these it finds none:" in said(check.document)
    assert said(check.document).count("it is used only when asked for") == sum(
        rule.preview for rule in every_rule().values()
    )
    assert {"arithmetic", "catalogue"} <= {anchor for anchor, _, _ in check.finds}


def test_a_symbol_has_the_letters_of_all_notations_and_its_formulas() -> None:
    width = next(one for one in symbols_by_letter() if one.concept.name == "d_model")
    assert width.letters == {
        "How to Train Your Foundation Model, lecture 8": "d", "The Megatron-LM papers": "h",
    }  # fmt: skip
    kin = next(one for one in symbols_by_letter() if one.concept.name == "dense_state_ranks")
    assert kin.letters == {"How to Scale Your Model, part 5": "X"}  # named once, for its kin too
    assert "entries/attention-parameters.html" in {way.path for way in width.users}


GUIDE = """# A guide

<script>alert(1)</script>

Words <b>here</b> and [there](other.md#part), [code](../src/x.py).

````markdown
```{chain} ring-all-reduce
```
````

<!-- printed -->
**(1)** an old one
<!-- end -->

After.
"""


def test_a_guide_prints_its_sources_anew_and_drops_what_is_html(tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text(GUIDE, encoding="utf-8")
    found = read_guide(path, lambda to: "other.html#part" if to.startswith("other") else "", "xxl-220b")
    words = said(found.blocks)
    assert "alert" not in words
    assert "<b>" not in words
    assert "an old one" not in words
    assert "After." in words
    assert any(isinstance(block, Chain) for block in found.blocks)
    assert [link.address for link in links(found.blocks) if "other" in link.address] == [
        "other.html#part"
    ]
    assert "code" in words


@each(
    "address, leads",
    [
        ("keys.md", "keys.html"), ("keys.md#a", "keys.html#a"), ("#here", "#here"),
        ("https://example.org/x", "https://example.org/x"), ("../CONTRIBUTING.md", ""),
        ("../reports/a/report.md", "../reports/a.html"),
    ],
)  # fmt: skip
def test_a_link_leads_to_the_page_of_its_file(address: str, leads: str) -> None:
    known = {"docs/keys.md": "guides/keys.html", "reports/a/report.md": "reports/a.html"}
    assert lead_to(address, here="docs/x.md", page="guides/x.html", known=known) == leads


def test_addresses_are_relative_to_the_page() -> None:
    assert relative("entries/a.html#b", "entries/c.html") == "a.html#b"
    assert relative("index.html", "entries/c.html") == "../index.html"
    assert relative("entries/a.html", "index.html") == "entries/a.html"


@each("text, first", [("One. Two.", "One."), ("What? It is.", "What?"), ("No stop", "No stop")])
def test_a_first_sentence_ends_where_it_ends(text: str, first: str) -> None:
    assert first_sentence(text) == first


# --- what comes from outside -------------------------------------------------------------------


class Tags(HTMLParser):
    """Tags with their attributes, and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


ATTACKS = (
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", '"><svg onload=alert(1)>',
    "</title><script>x</script>", "{{ 7 * 7 }}", "<!--", "]]>", "' onmouseover='x",
)  # fmt: skip


@each("attack", ATTACKS)
def test_hostile_words_of_an_entry_stay_words(attack: str) -> None:
    what = catalogue.get("ring-all-reduce")
    source = replace(what.source, title=attack, url="javascript:alert(1)", where=attack)
    hostile = replace(what, title=attack, phrases=(attack,), leaves_out=attack, source=source)
    place = replace(page_of(hostile), summary=attack, crumbs=(Way(attack, "index.html"),))
    page = Tags(Frame(()).written(place))
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert [one.get("type", "code") for one in scripts] == ["code", *["application/json"] * 3]
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert not any("javascript:" in (a.get("href") or "") for _, a in page.tags)
    assert {tag for tag, _ in page.tags} & {"img", "svg", "iframe", "object"} == set()
    assert attack in page.text


def test_directives_that_reports_ask_for_are_missed_before_any_page_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "reports" / "mine" / "source.md"
    source.parent.mkdir(parents=True)
    source.write_text('+++\ntitle = "Mine"\ndirectives = "mine"\n+++\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(build, "in_parallel", lambda *_: pytest.fail("pages are made"))
    with pytest.raises(UserError, match="found 'mine', expected --directives with the folder"):
        build.site()
    with pytest.raises(UserError, match="expected a Python module of that name"):
        build.site(tmp_path)
