"""A handout with an answer of every kind, and its quiz for each system.

`python tests/courses/quizzes.py` writes what is compared with anew; read the difference.
"""

import csv
import io
import re
import sys
import tempfile
from functools import cache
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

from workings.courses.bank import Bank
from workings.courses.export import exported
from workings.courses.made import Made
from workings.handout.exporting import bank_of_all, bank_of_one
from workings.handout.plan import plan_of
from workings.render.reports import Options

GOLDEN = Path(__file__).parents[1] / "data" / "courses"
FRONT = """+++
title = "Does it fit? <b>&"
scenario = "xxl-220b"
{language}

[vary]
batch = [4, 8, 16]
memory = ["40 GB", "80 GB"]
+++
"""
BODY = r"""
```{given} d_model blocks batch memory
```

Words for everybody: it costs $$5.

A batch of {value}`batch` sequences.

`````{question} 1
How many devices of {value}`memory` hold the model state?

```{answer} devices-for-state
:id: devices
:words: devices
:within: exact
:points: 2
[[wrong]]
words = "only the weights counted"
value = "{model-state}/4/{memory}"
share = 0.45
hint = "Gradients & moments stand beside the weights."
```

```{figure} memory
[[bar]]
name = "whole"
[[bar.part]]
name = "state"
id = "model-state"
```

```{hint}
Count the moments.
```
`````

```{solution}
Count.
```

`````{question} 2
Now on $N$ devices under FSDP.

````{part} a
How much does one of 156 devices hold?

```{answer} fsdp-memory N=156
:words: memory of one device
:unit: GB
:digits: 3
:points: 1.5
```
````

````{part} b
Give the formula.

```{answer} fsdp-memory
:kind: formula
:words: its formula
:points: 2
```
````

````{part} c
What scales?

```{answer}
:kind: choice
:words: what scales
:points: 1
[[choices]]
words = "FSDP on $N$ devices"
right = true
[[choices]]
words = "DDP <script>"
hint = "It keeps all."
share = 0.25
```
````

````{part} d
Twice the devices, half the state on each.

```{answer} true
:kind: truth
:words: halves
:points: 3
[[rubric]]
words = "says that the state is sharded"
marks = 2
```
````

````{part} e
Why?

```{answer}
:kind: text
:words: why
[[rubric]]
words = "=1+1"
marks = 1
```
````
`````

```{solution}
So.
```

````{question} 3
```{slip} fsdp-memory
:points: 2
```
````

```{solution}
There.
```

Words after the last.
"""


def source(folder: Path, body: str = BODY, language: str = "en") -> Path:
    """The handout in a folder."""
    path = folder / "hw.md"
    path.write_text(FRONT.format(language=f'language = "{language}"') + body, encoding="utf-8")
    return path


def bank_in(folder: Path, body: str = BODY, variants: int = 0, language: str = "en") -> Bank:
    """The quiz of a handout: as it stands, or so many variants."""
    path = source(folder, body, language)
    if not variants:
        return bank_of_one(path, Options())
    return bank_of_all(plan_of(path, 7, variants, ()), Options(), lambda found, _: found)


@cache
def bank(variants: int = 0, language: str = "en") -> Bank:
    """The quiz of the handout above."""
    with tempfile.TemporaryDirectory() as folder:
        return bank_in(Path(folder), variants=variants, language=language)


def made(system: str, variants: int = 0) -> Made:
    """What is made of it for a system."""
    return exported(bank(variants), [system])


def text(system: str, name: str, variants: int = 0) -> str:
    """A file that is made for a system."""
    content = made(system, variants).files[name]
    return content if isinstance(content, str) else content.decode()


def parsed(content: str | bytes) -> ElementTree.Element:
    """A file of XML that we wrote."""
    return ElementTree.fromstring(content)  # noqa: S314 - our own, without entities of its own


def moodle_questions(variants: int = 0, kind: str = "") -> list[ElementTree.Element]:
    """The questions of Moodle's file, of one kind."""
    root = parsed(text("moodle", "hw.moodle.xml", variants))
    return [one for one in root if kind in ("", one.get("type"))]


def zipped(variants: int = 0) -> dict[str, bytes]:
    """The files in Canvas's zip; the folder of the assessment is called `own`."""
    content = made("qti", variants).files["hw.canvas.zip"]
    assert isinstance(content, bytes)
    with ZipFile(io.BytesIO(content)) as archive:
        return {re.sub(r"w[0-9a-f]{32}", "own", name): archive.read(name) for name in archive.namelist()}


def assessment(variants: int = 0) -> ElementTree.Element:
    """The assessment in Canvas's zip, without its namespace."""
    content = zipped(variants)["own/own.xml"].decode()
    return parsed(re.sub(r' xmlns="[^"]*"', "", content, count=1))


def rows(variants: int = 0) -> list[dict[str, str]]:
    """The rows of the table."""
    return list(csv.DictReader(io.StringIO(text("csv", "hw.csv", variants))))


def goldens() -> dict[str, str]:
    """Every file that is compared whole, by its name; pictures by their names alone."""
    canvas = zipped()
    found = {"moodle.xml": text("moodle", "hw.moodle.xml"), "table.csv": text("csv", "hw.csv"),
             "canvas/imsmanifest.xml": canvas["imsmanifest.xml"].decode(),
             "canvas/assessment_meta.xml": canvas["own/assessment_meta.xml"].decode(),
             "canvas/assessment.xml": canvas["own/own.xml"].decode()}  # fmt: skip
    found["moodle.xml"] = re.sub(r'(encoding="base64">)[^<]*', r"\1…", found["moodle.xml"])
    for name, content in made("prairielearn").files.items():
        if not name.endswith((".svg", "server.py")):
            assert isinstance(content, str)
            found["prairielearn/" + name.partition("/")[2]] = content
    return found


if __name__ == "__main__":
    for name, content in goldens().items():
        (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
        (GOLDEN / name).write_text(content, encoding="utf-8")
        sys.stdout.write(f"{name}\n")
