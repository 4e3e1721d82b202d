"""The report on the five texts: every text has its section, and what is right or wrong in it stays so."""

import tomllib
from pathlib import Path

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
    document, _ = read_document(SOURCE)
    write = MarkdownWriter(document)

    def cell(line: Line) -> str:
        return write.cell(line)

    return {
        (block.label, cell(row[0])): [cell(one) for one in row[1:]]
        for block in document.blocks if isinstance(block, Table) and block.label
        for row in block.rows
    }  # fmt: skip


def claims() -> list[tuple[str, dict[str, object]]]:
    files = sorted(FOLDER.glob("00*.toml"))
    return [(f.name, claim) for f in files for claim in tomllib.loads(f.read_text())["claim"]]


def test_every_text_has_a_section_of_its_own_and_its_verdicts_counted() -> None:
    document, _ = read_document(SOURCE)
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
        assert claim["ours"] in catalogue.files(), (name, claim["what"])
        assert claim["says"], (name, claim["what"])


WRONG = {
    # The bubble of interleaved pipelines, Narayanan et al. 2021, section 2.2.2: (p - 1)/(v·m).
    ("001-formulas", "bubble"): "It is 1/2 of ours",
    ("001-formulas", "the same, with DP the replicas of the dense part"): "It is 2 times ours",
    ("002-linear", "FLOPs, forward"): "It is 1/2 of ours",
    ("002-linear", "parameters of a block over $`D^{2}`$"): "It is 40/41 of ours",
    ("002-pipeline", "idle share"): "Too large at each",
    ("002-pipeline", "time over that of one micro-batch on one device, $`k = 3 p`$"): "It is 3/4",
    ("002-fsdp", "FLOPs of a forward through $`D F`$ parameters"): "It is 1/2 of ours",
    ("002-fsdp", "doublings of the group, $`p \\le 2^{q}`$"): "It is 1/2 of ours",
    ("003-formulas", "bytes of a reduce, done as reduce-scatter and all-gather"): "It is the all-reduce",
    ("004-beside", "`activation_memory`, a block as Megatron counts it"): "It is 10/17 of ours",
    ("004-beside", "`sp_comm`, a layer"): "It is 1/4 of ours",
}


@pytest.mark.parametrize("where", WRONG, ids=" ".join)
def test_wrong_formulas_are_off_by_what_the_report_says(
    rows: dict[tuple[str, str], list[str]], where: tuple[str, str]
) -> None:
    verdict = rows[where][-1]
    assert verdict.startswith("**wrong**")
    assert WRONG[where] in verdict


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
    ("001-efficiency", "2,048 devices: MFU"): ("0.4412", "**wrong**"),
    # Llama 3 8B, 70B, 405B: 2(1 + K/H) + 3F/D by table 3 of its paper.
    ("002-sizes", "parameters of a block over $`D^{2}`$, 8B"): ("13", "**wrong**"),
    ("002-sizes", "the same, 70B"): ("12.75", "**wrong**"),
    ("002-sizes", "the same, 405B"): ("11.88", "**wrong**"),
    ("002-hardware", "all pairs of four GPUs at 75 GB/s, both ways"): ("900 GB/s", "agrees"),
    ("002-hardware", "one GPU to another of its node, one way"): ("150 GB/s", "**wrong**"),
    ("002-numbers", "batch from which FSDP between nodes is compute-bound"): ("3.751", "**wrong**"),
    ("003-figures", "bytes a parameter, mixed precision"): ("16 bytes", "agrees"),
    ("003-figures", "those bytes over the 16-bit weights"): ("8", "depends on a convention"),
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
    assert sum(counts[-1][:3]) == counts[-1][3] == len(claims())


def test_the_words_of_the_texts_are_not_in_the_report() -> None:
    report = " ".join((FOLDER / "report.md").read_text().split()).lower()
    for words in ("each level operates at different timescale", "effectively balancing compute",
                  "we can never instantiate", "four orthogonal strategies"):  # fmt: skip
        assert words not in report
