"""The pages that Chromium opens, made once."""

from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path

import pytest
from documents import Options

from workings import catalogue
from workings.render.reports import build
from workings.render.show import derivation_fragment

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "reports" / "xxl-220b" / "source.md"
CHAPTER = (
    '+++\ntitle = "A chapter"\nscope = "section"\n+++\n\n## Hierarchies\n\n```{topic} hierarchy\n```\n'
)

EVERY = """+++
title = "A block of every kind"
scenario = "xxl-220b"
+++

## Words

**Bold**, *slanted*, `code`, {math}`S/N`, a [link](https://example.org), {ref}`one`, {value}`model-state`.

- an item
- another

> quoted

```
kept as it is
```

````{question} 1
How much?
````

````{solution}
```{chain} fsdp-fits
:label: one
:footer: full
```

```{worked} fsdp-memory N=156
```

```{ledger} model-state
```
````

```{note} A title
x
```

```{warning}
x
```

```{takeaway}
x
```

```{figure} memory
caption = "Memory"
[[bar]]
name = "whole"
[[bar.part]]
name = "state"
id = "model-state"
```

```{symbols}
```
"""

HANDOUT = """+++
title = "放得下吗？"
language = "zh"
course = "大模型系统"
term = "2026 年秋"
identity = ["姓名", "学号"]
scenario = "xxl-220b"
+++

```{given} d_model blocks batch memory hardware
```

```{image} dot.png
:alternative: a dot
:caption: A dot
:width: 20
```

$$
N \\geq \\frac{S + A/2}{95\\,\\text{GB}}
$$

`````{question} 1
取 $N$ 个设备。

````{part} a
多少？

```{answer} fsdp-memory N=156
:points: 2
```

```{hint} fsdp-memory
```
````

````{part} b
哪一项？

```{answer}
:kind: choice
[[choices]]
words = "甲"
right = true
[[choices]]
words = "乙"
```
````
`````

````{solution}
```{chain} fsdp-memory
```
````

````{question} 2
```{slip} fsdp-memory
```

```{answer}
:kind: text
:words: 理由
[[rubric]]
words = "说出分片"
marks = 2
```
````
"""
DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The 220B report, its sheet, a chapter, an entry, a handout, and one of every block, by name."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "chapter.md").write_text(CHAPTER, encoding="utf-8")
    (folder / "every.md").write_text(EVERY, encoding="utf-8")
    (folder / "handout.md").write_text(HANDOUT, encoding="utf-8")
    (folder / "dot.png").write_bytes(DOT)
    html = Options(formats=("html",), directives=ROOT / "benchmarks")
    sheet = Options(formats=("html",), directives=ROOT / "benchmarks", sheet=True)
    texts = {
        "report": build(SOURCE, html)["report.html"],
        "sheet": build(SOURCE, sheet)["sheet.html"],
        "chapter": build(folder / "chapter.md", html)["report.html"],
        "every": build(folder / "every.md", html)["report.html"],
        "handout": build(folder / "handout.md", html)["report.html"],
        "handout-sheet": build(folder / "handout.md", sheet)["sheet.html"],
        "entry": derivation_fragment(catalogue.get("fsdp-fits"), "html"),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}
