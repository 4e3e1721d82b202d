"""A page's program, run by Python at other inputs, gives what the document says at the same settings."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from documents import FRONT, source_in
from running import BrokenError, Running

from workings import catalogue
from workings.document.blocks import Bars, Document, Number, Worked
from workings.document.made_of import InNumbers, Used
from workings.document.read import read_document
from workings.errors import UserError
from workings.formula import Num
from workings.formula.interval import rational
from workings.live.program import Program, unmoved
from workings.live.walk import following
from workings.render.notebook_calls import calls_of
from workings.scenario.derived import short
from workings.units import Format, parse_quantity
from workings.values.desk import Desk
from workings.values.unfolded import unfold
from workings.values.worked import work

PAGE = """
Of {value}`blocks` blocks, {value}`model-state` and {value}`{model-state}/2 unit=GiB digits=6`; on
{value}`fsdp-smallest-n` devices {value}`fsdp-memory N={fsdp-smallest-n}`, on 7 {value}`fsdp-memory N=7`;
with another state {value}`fsdp-memory N=9 S='3 TB'`, in one byte
{value}`saved-activations activation_width='1 byte'`, by
micro-batch {value}`accumulation-batch microbatches=4`, at 16 {value}`forward-compute-time batch=16`.

```{worked} fsdp-fits
:digits: 6
:expand:
```

```{worked} best-mesh-batch-max
```

```{ledger} fsdp-memory N_fsdp={fsdp-smallest-n}
:caption: On {value}`fsdp-smallest-n` devices
```

```{table}
vary = "N_fsdp"
over = ["{fsdp-smallest-n} - 1", "{fsdp-smallest-n}"]
[[column]]
title = "devices"
key = "value"
[[column]]
title = "memory"
id = "fsdp-memory"
decimals = 1
beside = "{memory}"
[[column]]
title = "fits?"
id = "fsdp-memory"
test = "< {memory}"
```

```{table}
[[column]]
title = "batch"
id = "compute-bound-batch-max"
otherwise = "never"
[[row]]
set = { X = "4", Y = "16" }
[[row]]
set = { X = "64", Y = "1" }
```

```{figure} memory
limit = "{memory}"
[[bar]]
name = "one"
[[bar.part]]
name = "state"
id = "{model-state}/120"
[[bar.part]]
name = "activations"
id = "saved-activations"
```

```{symbols}
```
"""
KINDS = (
    ("xxl-220b", "tpu-v4", "h100-sxm", "memory of one device"),
    ("gpt3-512", "h100-sxm", "tpu-v4", "memory of one device, as it is sold"),
)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "hardware.memory": ("95 GB", "84.5 GB", "1.5 TB"),
    "hardware.compute": ("312 TFLOP/s", "1e15 FLOP/s"),
    "hardware.link_one_way": ("45 GB/s", "450 GB/s"),
    "model.blocks": ("64", "61", "12"),
    "model.d_ff": ("28672", "11008", "65536"),
    "training.batch": ("1", "2", "3"),
    "training.sequence_length": ("1000", "4096"),
    "training.activation_width": ("1 byte", "4 byte"),
    "training.gather_width": ("1 byte", "0.5 byte"),
    "layout.fsdp": ("8", "7", "64"),
    "layout.tp": ("1", "16"),
}  # fmt: skip


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return source_in(tmp_path_factory.mktemp("live"), PAGE)


def read(source: Path, settings: Mapping[str, str]) -> Document:
    return read_document(source, settings=settings)[0]


def states(count: int) -> Iterator[dict[str, str]]:
    random = Random(17)  # noqa: S311 - chooses cases, no keys
    for _ in range(count):
        yield {key: random.choice(CHOICES[key]) for key in random.sample(sorted(CHOICES), 3)}


def inputs(settings: Mapping[str, str]) -> dict[str, Fraction]:
    return {short(key): parse_quantity(text).value for key, text in settings.items()}


def test_every_number_follows_to_the_last_digit(source: Path) -> None:
    own = read(source, {})
    assert own.desk is not None
    program, seen, refused = Program(own.desk), 0, 0
    numbers = [program.follow(piece.source) for piece in following(own)]
    assert None not in numbers[:9], "a number of the text follows nothing"
    made = program.as_json()
    for settings in states(40):
        run = Running(made, inputs(settings))
        try:
            there = read(source, settings)
        except UserError:
            refused += 1
            with pytest.raises(BrokenError):
                [run.node(place) for place in range(len(made["nodes"]))]
            continue
        for number, piece in zip(numbers, following(there), strict=True):
            if number is None:
                continue
            display = made["displays"][number]
            if isinstance(piece, Worked):
                value = rational(run.node(display["node"])[0])
                last = piece.steps[-1].formula
                assert isinstance(last, Num)
                if isinstance(piece.source, Used):  # its digits are those of the line that uses it
                    assert value == piece.source.result.done.value
                    continue
                assert run.shown({**display, "kind": "amount"})[0] == last.text, value
            elif isinstance(piece, Bars):
                parts = [rational(run.node(n)[0]) for _, bars in display["bars"] for _, n in bars]
                shares = [part.share for bar in piece.bars for part in bar.parts]
                assert float(parts[0] / parts[1]) == pytest.approx(shares[0] / shares[1], rel=1e-12)
            else:
                said = (piece.number, piece.unit) if isinstance(piece, Number) else (piece.text, "1")
                assert run.shown(display) == said, settings
            seen += 1
    assert seen > 300
    assert refused > 3


def test_a_rate_says_what_it_counts_before_and_after_a_change(tmp_path: Path) -> None:
    page = "```{worked} throughput-from-step-time step_time='10 s'\n```\n"
    document = read(source_in(tmp_path, page), {})
    assert document.desk is not None
    (piece,) = following(document)
    assert isinstance(piece, Worked)
    last = piece.steps[-1].formula
    assert isinstance(last, Num)
    program = Program(document.desk)
    number = program.follow(piece.source)
    assert number is not None
    assert program.as_json()["displays"][number]["unit"] == last.unit == "tokens/s"


def test_a_page_holds_what_it_uses_and_nothing_more(source: Path) -> None:
    document = read(source, {})
    assert document.desk is not None
    program = Program(document.desk)
    for piece in following(document):
        program.follow(piece.source)
    made = program.as_json()
    keys = [one["key"] for one in made["inputs"]]
    assert "hardware.memory" in keys
    assert "training.reduce_width" not in keys, "nothing here sends gradients"
    used = {node.get("entry") for node in made["nodes"]}
    used |= {use[1] for entry in made["entries"] for use in entry["uses"].values() if use[0] == "entry"}
    assert set(range(len(made["entries"]))) == used - {None}


def test_what_does_not_follow_stays(tmp_path: Path) -> None:
    text = "{value}`compute at=gpt3-512`, {value}`pipeline-bubble p=2 m=8`\n"
    document = read(source_in(tmp_path, text), {})
    assert document.desk is not None
    program = Program(document.desk)
    assert [program.follow(piece.source) for piece in following(document)] == [None] * 2
    assert program.as_json()["inputs"] == []


def test_a_key_moves_a_page_where_a_number_rests_on_it(tmp_path: Path) -> None:
    document = read(
        source_in(tmp_path, "{value}`saved-activations` {value}`fsdp-memory N=7 A='1 GB'`\n"), {}
    )
    follow = {"training.batch", "model.d_model", "training.master_width", "training"}
    still = {"hardware.memory", "hardware", "layout.fsdp"}
    assert unmoved(document, follow | still) == still
    assert [unmoved(document, {key}) for key in sorted(follow)] == [set()] * 4


def test_inputs_are_named_and_presets_are_of_the_same_kind_of_network(tmp_path: Path) -> None:
    for scenario, wanted, other, meaning in KINDS:
        front = FRONT.replace("xxl-220b", scenario)
        document = read(source_in(tmp_path, "{value}`{memory}/2` {value}`compute`\n", front), {})
        assert document.desk is not None
        program = Program(document.desk)
        for piece in following(document):
            program.follow(piece.source)
        made = program.as_json()
        assert [one["meaning"] for one in made["inputs"]] == ["compute of one device", meaning]
        presets = {one["id"]: one["values"] for one in made["presets"]}
        assert wanted in presets
        assert other not in presets
        for one in made["inputs"]:
            assert parse_quantity(one["text"]).value == Fraction(one["value"])


def test_every_result_that_an_entry_uses_follows_and_has_a_call() -> None:
    """Worked out by a program at other inputs, it is what Python unfolds there."""
    over, found = {"training.batch": "2", "hardware.memory": "120 GB"}, 0
    desk, there = Desk("xxl-220b"), Desk("xxl-220b", over=over)
    document = Document((), (), {}, desk=desk)
    for what in catalogue.every():
        try:
            here, other = (
                list(unfold(work(what, one.scenario({})), one.bound(what, {}), Format()))
                for one in (desk, there)
            )
        except UserError:
            continue
        program, made = Program(desk), InNumbers(what.id, {}, Format())
        blocks = [Worked("", 0, (), (), source=Used(made, one)) for one in here]
        numbers = [program.follow(block.source) for block in blocks]
        written = program.as_json()
        run = Running(written, inputs(over))
        for number, block, one in zip(numbers, blocks, other, strict=True):
            assert number is not None, (what.id, one.name)
            assert rational(run.node(written["displays"][number]["node"])[0]) == one.done.value
            assert calls_of(block, document), (what.id, one.name)
            found += 1
    assert found > 30
