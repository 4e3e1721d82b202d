"""A row, column or item that says that it is the total is not the sum of its parts."""

from __future__ import annotations

from collections.abc import Iterator

from workings.claims.claim import Finding, Rule
from workings.claims.page import Page


def judge(page: Page) -> Iterator[Finding]:
    """What ties of cells say by this rule."""
    yield from (found for found in page.tied if found.rule == RULE.id)


RULE = Rule(
    "table-total",
    "A row, column or item that says that it is the total is not the sum of its parts.",
    judge,
    bad=(
        "| part | ms |\n|---|---|\n| a | 1200 |\n| b | 2400 |\n| c | 1024 |\n| total | 4524 |\n",
        """| component | GiB |
|---|---:|
| parameters | 12.6 |
| gradients | 12.6 |
| Adam moments | 50.3 |
| activations | 9.8 |
| **total** | 95.3 |
""",
        """| phase | ms | share |
|---|---|---|
| forward | 118 | 31 % |
| backward | 241 | 63 % |
| optimizer | 23 | 6 % |
| Sum | 372 | 100 % |
""",
        """| run | forward (s) | backward (s) | update (s) | total (s) |
|---|---|---|---|---|
| a | 0.41 | 0.82 | 0.05 | 1.28 |
| b | 0.39 | 0.77 | 0.05 | 1.21 |
| c | 0.52 | 1.03 | 0.06 | 1.51 |
| d | 0.33 | 0.65 | 0.04 | 1.02 |
""",
        """Memory on one card:

- weights: 26 GB
- gradients: 26 GB
- optimizer: 13e9 × 12 B = 156 GB
- Total: 218 GB
""",
        """| Posten | GPU-Stunden |
|---|---|
| Vortraining | 812.400 |
| Feinabstimmung | 31.750 |
| Auswertung | 4.300 |
| Summe | 858.450 |

Das sind 2,1 % mehr als geplant und 0,5 Wochen.
""",
        """| 层 | 参数量 |
|---|---|
| 嵌入 | 131,334,144 |
| 注意力 | 1,006,632,960 |
| 前馈 | 2,415,919,104 |
| 合计 | 3,535,886,208 |
""",
        """```text
embedding        65,536,000
attention       402,653,184
mlp             939,524,096
lm_head          65,536,000
total         1,437,249,280
```
""",
        """| item | $ |
|---|---|
| compute | 12,000 |
| storage | 1,450 |
| **subtotal** | 13,450 |
| network | 820 |
| support | 600 |
| **total** | 15,870 |
""",
        """



| rank | pp=4 | pp=8 |
|---|---|---|
| weights GB | 8.1 | 4.05 |
| optimizer GB | 24.3 | 12.15 |
| activations GB | 6.2 | 3.1 |
| total GB | 38.6 | 20.3 |
""",
    ),
    good=(
        """| component | GB |
|---|---|
| weights | 13 |
| gradients | 13 |
| master weights | 27 |
| Adam | 54 |
| Total | 108 |

All are rounded: 13.48, 13.48, 26.96 and 53.9 GB.
""",
        """| item | GB |
|---|---|
| model state | 70 |
| of which optimizer | 52.5 |
| activations | 4 |
| total | 74 |
""",
        """| | value |
|---|---|
| layers | 48 |
| heads | 64 |
| Total params | 97 |
| total batch | 1024 |
""",
        """| day | tokens/s | stops |
|---|---|---|
| Mon | 41,200 | 1 |
| Tue | 39,800 | 0 |
| Wed | 40,300 | 2 |
| total | 40,433 | 3 |
""",
        """| phase | s |
|---|---|
| compute | 4.1 |
| communication | 3.2 |
| total (overlapped) | 4.1 |
""",
        """| part | per layer | layers | params |
|---|---|---|---|
| attention | 4,194,304 | 24 | 100,663,296 |
| mlp | 8,388,608 | 24 | 201,326,592 |
| Total | 12,582,912 | 24 | 301,989,888 |
""",
        """| kind | GB |
|---|---|
| a | 10 |
| b | 20 |
| **subtotal** | 30 |
| c | 5 |
| **total** | 35 |
""",
        """| layer | MiB |
|---|---|
| total | 960 |
| attention | 320 |
| mlp | 640 |
""",
        """- 8 GPUs
- 80 GB each
- total memory 640 GB
- total price 25 $/h
""",
        """| item | GB | rank 0 | rank 1 |
|---|---|---|---|
| weights | 14 | 7 | 7 |
| cache | – | 12-20 | 16 |
| total | 30 | 19-27 | 23 |
""",
        """| Poste | Go |
|---|---|
| poids | 14,2 |
| gradients | 14,2 |
| optimiseur | 85,3 |
| total | 113,6 |

Les valeurs sont arrondies (14,21, 14,21 et 85,26 Go).
""",
        """```text
block/attn/qkv     3,145,728
block/attn/out     1,048,576
block/attn         4,194,304
block/mlp          8,388,608
block             12,582,912
total             12,582,912
```
""",
        """
| item | GB |
|---|---|
| weights | 41.3 |
| cache | 22.8 |
| total | 70 (with overhead) |
""",
        """
- tokens on disk: 52 GB
- checkpoints: 187 GB
- together ~250 GB
""",
        """| kernel | ms |
|---|---|
| gather (each of 3) | 1.7 |
| products | 9.2 |
| scatter | 1.9 |
| total | 16.2 |
""",
        """| matrix | how many | MB |
|---|---|---|
| up, gate | 2 | 117.4 |
| down | 1 | 117.4 |
| norm | 3 | 0.01 |
| total | 6 | 352.2 |
""",
        """| group | weights |
|---|---|
| one block | 301,997,056 |
| all blocks | 9,663,905,792 |
| vocabulary | 328,335,360 |
| last norm | 5,120 |
| total | 9,992,246,272 |
""",
        """
| phase | days |
|---|---|
| warm-up | 1.5 |
| main run | 31.0 |
| total incl. restarts | 34.2 |
""",
    ),
    preview=False,
)
