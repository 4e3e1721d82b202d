"""A handout for tests, and the command line that writes its variants."""

import csv
import json
from pathlib import Path
from typing import Any

from documents import run

VARY = 'batch = [4, 8, 16]\nmemory = ["40 GB", "80 GB"]'
FRONT = '+++\ntitle = "Does it fit?"\nscenario = "{scenario}"\n\n[vary]\n{vary}\n+++\n'
BODY = """
A batch of {value}`batch` sequences.

````{question} 1
How many devices of {value}`memory` hold the model state?

```{answer} devices-for-state
:id: devices
:words: devices
:within: exact
[[wrong]]
words = "only the weights counted"
value = "{model-state}/4/{memory}"
```
````

```{solution}
{value}`devices-for-state` of them.
```

````{question} 2
How much does one of 156 devices hold under FSDP?

```{answer} fsdp-memory N=156
:words: memory of one device
:unit: GB
```
````

```{solution}
It holds {value}`fsdp-memory N=156`.
```
"""


def handout_in(
    folder: Path, vary: str = VARY, body: str = BODY, scenario: str = "xxl-220b", name: str = "hw2.md"
) -> Path:
    """A source with this `[vary]`."""
    path = folder / name
    path.write_text(FRONT.format(vary=vary, scenario=scenario) + body, encoding="utf-8")
    return path


def issued(folder: Path, *arguments: str, source: Path | None = None, code: int = 0) -> str:
    """What the command prints that writes the handout to `out`; most tests need only Markdown."""
    path = source or folder / "hw2.md"
    result = run("handout", str(path), "-o", str(folder / "out"), "--format", "md", *arguments)
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def index_of(folder: Path) -> list[dict[str, str]]:
    """The rows of the index."""
    with (folder / "out" / "index.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def record_of(folder: Path, variant: str) -> dict[str, Any]:
    """What is written down of a variant."""
    found: dict[str, Any] = json.loads((folder / "out" / variant / "variant.json").read_text("utf-8"))
    return found


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file that was written, by its path."""
    out = folder / "out"
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}
