"""The report on the five texts: every text has its section, and what is right or wrong in it stays so."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from workings import catalogue
from workings.document.blocks import Heading, Line, Table
from workings.document.read import read_document
from workings.render.markdown import MarkdownWriter

FOLDER = Path(__file__).parents[1] / "reports" / "seeds"
SOURCE = FOLDER / "source.md"
TEXTS = ("000", "001", "002", "003", "004")


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str], list[str]]:
    """The cells of every captioned table, by its label and the first cell of a row."""
    document, _ = read_document(SOURCE, directives=FOLDER.parents[1] / "benchmarks")
    write = MarkdownWriter(document)

    def cell(line: Line) -> str:
        return write.cell(line)

    return {
        (block.label, cell(row[0])): [cell(one) for one in row[1:]]
        for block in document.blocks if isinstance(block, Table) and block.label
        for row in block.rows
    }  # fmt: skip


def claims() -> list[tuple[str, dict[str, Any]]]:
    files = sorted(FOLDER.glob("00*.toml"))
    return [(f.name, claim) for f in files for claim in tomllib.loads(f.read_text())["claim"]]


def test_every_text_has_a_section_of_its_own_and_its_verdicts_counted() -> None:
    document, _ = read_document(SOURCE, directives=FOLDER.parents[1] / "benchmarks")
    write = MarkdownWriter(document)
    sections = [write.line(b.line) for b in document.blocks if isinstance(b, Heading) and b.level == 2]
    assert [title[:3] for title in sections[:-1]] == list(TEXTS)
    counted = SOURCE.read_text().count("```{verdicts} 00")
    assert counted == len(TEXTS)


def test_every_file_of_claims_is_printed_once() -> None:
    source = SOURCE.read_text()
    for file in FOLDER.glob("00*.toml"):
        assert source.count(f"}} {file.name}\n") == 1, file.name


def test_every_claimed_formula_stands_beside_a_derivation() -> None:
    formulas = [(name, claim) for name, claim in claims() if "claimed" not in claim
                and not {"from", "to", "below"} & claim.keys()]  # fmt: skip
    assert len(formulas) > 40
    for name, claim in formulas:
        for case in claim.get("case", [claim]):
            assert {**claim, **case}["ours"] in catalogue.ids(), (name, claim["what"])
        assert claim["says"], (name, claim["what"])


WRONG = {
    ("002-linear", "FLOPs, forward"): "It is 1/2 of ours",
    ("002-fsdp", "FLOPs of a forward through $`D F`$ parameters"): "It is 1/2 of ours",
    ("002-fsdp", "doublings of the group, $`p \\le 2^{q}`$"): "It is 1/2 of ours",
    ("003-formulas", "bytes of a reduce, done as reduce-scatter and all-gather"): "It is the all-reduce",
}


@pytest.mark.parametrize("where", WRONG, ids=" ".join)
def test_wrong_formulas_are_off_by_what_the_report_says(
    rows: dict[tuple[str, str], list[str]], where: tuple[str, str]
) -> None:
    verdict = rows[where][-1]
    assert verdict.startswith("**wrong**")
    assert WRONG[where] in verdict


# What a text leaves open, with the cases in which it is right and in which it is not.
OPEN = {
    ("000-memory", "memory that a BF16 backward saves"): "439.7 GB or 143.7 GB",
    # 126 blocks in 21 segments of 6: 1/(20/126·16,384/69,632 + 1/21) = 11.769…, of 21 and of 6
    ("000-techniques", "checkpointing, 21"): "0.5604 or 1.962",
    ("001-hierarchy", "TP: time between two operations"): "481.8 µs or 1,446 µs",
    # Mixtral's chunks are one block, whose time cancels but for the router: 7/8·2 vectors in half of it,
    # one in 3/2 of it, so 21/4, times 922.747/922.812 MFLOP a token without the router and with it
    ("001-experts", "EP: bandwidth over that of PP"): "125.9 or 5.250",
    ("001-efficiency", "512 devices: efficiency"): "0.9013 or 0.7357",
    ("001-efficiency", "512 devices: MFU"): "0.4706 or 0.56",
    ("001-efficiency", "2,048 devices: MFU"): "0.4412 or 0.525",
    ("002-stages", "serial factor over one micro-batch on one device"): "3.75 or 3",
    ("004-beside", "`activation_memory`, a block"): "it is 10/17 of ours",
    ("004-beside", "`sp_comm`, a layer"): "it is 1/4 of ours",
    ("002-pipeline", "gradients of a stage"): "$`L D^{2}`$",
}


@pytest.mark.parametrize("where", OPEN, ids=" ".join)
def test_what_a_text_leaves_open_is_not_decided(
    rows: dict[tuple[str, str], list[str]], where: tuple[str, str]
) -> None:
    [cells] = [
        row for (label, what), row in rows.items() if label == where[0] and what.startswith(where[1])
    ]
    said = " ".join(cells[2:])
    assert said.startswith("not decidable from the text")
    assert OPEN[where] in cells or OPEN[where] in said
    assert "wrong" in said
    assert "agrees" in said or "right in a special case" in said


def test_wherever_a_claim_is_open_a_case_for_it_and_one_against_it_are_named(
    rows: dict[tuple[str, str], list[str]],
) -> None:
    said = [" ".join(cells) for (label, _), cells in rows.items() if label[:3] in TEXTS]
    opened = [words for words in said if "not decidable" in words]
    assert len(opened) > 10
    for words in opened:
        assert "wrong" in words, words
        assert "agrees" in words or "special case" in words, words


RIGHT = [
    ("000-formulas", "memory of one of $`N`$ FSDP devices"),
    ("001-formulas", "devices of a 4D layout with experts"),
    ("002-linear", "parameters of a linear net"),
    ("002-linear", "values a linear net saves"),
    ("002-linear", "activations of a model"),
    ("002-fsdp", "the inequality, in its own units"),
    ("003-formulas", "memory, plain data parallelism"),
    *(("004-formulas", f"`{key}`{rest}") for key, rest in [
        ("valid", ": devices are dp · tp · pp · sp"), ("total_params", ""),
        ("param_memory", ", in bytes"),
        ("activation_memory", ", in bytes"), ("dp_comm", ", in bytes"), ("tp_comm", ", in bytes"),
        ("pp_comm", ", in bytes"), ("sp_comm", ", in bytes"), ("bubble_ratio", ""),
    ]),
]  # fmt: skip


@pytest.mark.parametrize("where", RIGHT, ids=" ".join)
def test_right_formulas_agree(rows: dict[tuple[str, str], list[str]], where: tuple[str, str]) -> None:
    assert rows[where][-1].startswith("agrees")


FIGURES = {
    ("000-memory", "FSDP devices below 95 GB"): ("156", "agrees"),
    ("000-time", "compute time at that batch"): ("0.4894 s", "**wrong**"),
    ("000-time", "transfer time at that batch"): ("0.3993 s", "**wrong**"),
    ("001-layouts", "devices of TP 8 · PP 8 · DP 8"): ("512", "agrees"),
    ("001-layouts", "data-parallel degree of that layout"): ("64", "depends on a convention"),
    ("001-layouts", "the same as PP · DP · chunks, if DP is doubled"): ("64", "**wrong**"),
    # Llama 3 8B, 70B, 405B: 2(1 + K/H) + 3F/D by table 3 of its paper.
    ("002-sizes", "parameters of a block over $`D^{2}`$, 8B"): ("13", "**wrong**"),
    ("002-sizes", "the same, 70B"): ("12.75", "**wrong**"),
    ("002-sizes", "the same, 405B"): ("11.88", "**wrong**"),
    ("002-hardware", "all pairs of four GPUs at 75 GB/s, both ways"): ("900 GB/s", "agrees"),
    ("002-hardware", "one GPU to another of its node, one way"): ("150 GB/s", "**wrong**"),
    ("002-numbers", "batch from which FSDP between nodes is compute-bound"): ("3.751", "**wrong**"),
    ("003-figures", "bytes a parameter, mixed precision"): ("16 bytes", "agrees"),
    # 16 bytes over 2 and over 4: no width of the weights makes it 5.
    ("003-figures", "those 16 bytes over the weights"): ("8 or 4", "**wrong**"),
    ("003-figures", "communication of ZeRO-3 over DDP"): ("1.5", "agrees"),
}


@pytest.mark.parametrize("where", FIGURES, ids=" ".join)
def test_figures_and_their_verdicts(
    rows: dict[tuple[str, str], list[str]], where: tuple[str, str]
) -> None:
    _, ours, verdict, _ = rows[where]
    assert (ours, verdict) == FIGURES[where]


def test_the_last_table_adds_up_what_the_sections_count(rows: dict[tuple[str, str], list[str]]) -> None:
    counts = [[int(n) for n in cells] for (label, _), cells in rows.items() if label == "verdicts-all"]
    assert len(counts) == len(TEXTS) + 1
    assert [sum(column) for column in zip(*counts[:-1], strict=True)] == counts[-1]
    assert sum(counts[-1][:4]) == counts[-1][4] == len(claims())


def test_the_words_of_the_texts_are_not_in_the_report() -> None:
    report = " ".join((FOLDER / "report.md").read_text().split()).lower()
    for words in ("each level operates at different timescale", "effectively balancing compute",
                  "we can never instantiate", "four orthogonal strategies"):  # fmt: skip
        assert words not in report
