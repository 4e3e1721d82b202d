"""What one node reaches: matrix products, attention, memory and collectives, timed with plain PyTorch.

It imports the standard library and torch alone, and runs as a script where nothing else is installed:
`python node.py --quick -o node.toml` writes one TOML document in seconds, FLOP/s, bytes and bytes per
second. What fails is a row with `error` and stops nothing else. Clocks and power limits stay as they are.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

try:
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel
except (ImportError, OSError):  # OSError: a library of CUDA that cannot be loaded
    torch = None

Row = dict[str, Any]
FAMILIES = ("matmul", "attention", "memory", "collective")
REPEATS = {True: 20, False: 50}  # the most runs of a row, quick or not; at least five where they are long
NOTES = (
    "Seconds are medians after a warm-up, ranges the 10th to the 90th percentile; clocks are as found. A "
    "buffer larger than the caches is overwritten before each run, but sustained runs are back to back.",
    "Operands are normally distributed. A backward product is both of its products. fp8 is e4m3 with a "
    "scale a tensor, casts left out, fast accumulation in the forward alone.",
    "FLOPs of attention are of the causal scores, which the backward, timed with its forward, repeats.",
    "Bytes of memory are read plus written, those of a collective the whole tensor's; the slowest of its "
    "processes counts, and bus bandwidth is what nccl-tests calls busbw.",
)
# Dense peaks by a part of the device's name, the first that is in it: TFLOP/s of bf16 and fp16, of fp8
# (0: none), and TB/s of memory. From the makers' data sheets, those with sparsity halved.
PEAKS: Sequence[tuple[str, float, float, float]] = (
    ("GB300", 2500, 5000, 8), ("B300", 2250, 4500, 7.7), ("GB200", 2500, 5000, 8),
    ("B200", 2250, 4500, 8), ("GH200", 989.4, 1978.9, 4), ("MI300X", 1307.4, 2614.9, 5.3),
    ("A800-SXM4-80GB", 312, 0, 2.039),
    ("H200 NVL", 835.5, 1671, 4.8), ("H200", 989.4, 1978.9, 4.8), ("H100 PCIe", 756, 1513, 2),
    ("H100 NVL", 835.5, 1671, 3.9), ("H100", 989.4, 1978.9, 3.35), ("H800", 989.4, 1978.9, 3.35),
    ("H20", 148, 296, 4), ("A100-SXM4-80GB", 312, 0, 2.039), ("A100 80GB", 312, 0, 1.935),
    ("A100", 312, 0, 1.555), ("L40S", 362, 733, 0.864),
)  # fmt: skip


class NodeError(ValueError):
    """What was asked for cannot be measured here; the message is one sentence."""


class Setting(NamedTuple):
    """What is measured: on "cuda" or "cpu", few sizes (`quick`) or all, and which families."""

    device: str
    quick: bool = False
    only: tuple[str, ...] = FAMILIES

    @property
    def cuda(self) -> bool:
        """Whether it is a GPU; the sizes for a processor are smaller."""
        return self.device == "cuda"


class Product(NamedTuple):
    """A matrix product: rows × inner by inner × columns, of which part of a layer split `tp` ways."""

    of: str
    tp: int
    rows: int
    columns: int
    inner: int


def products(setting: Setting) -> Iterator[Product]:
    """Of layers like Llama's, by tokens, width and tensor-parallel degree, and of experts."""
    layers, experts, degrees, tokens, routed = [(256, 64, 704)], [(256, 64)], [1, 2], [128], [32]
    if setting.cuda:
        layers = [(4096, 1024, 14336), (8192, 1024, 28672), (2048, 512, 8192), (16384, 1024, 53248)]
        experts, routed = [(7168, 2048), (4096, 14336)], [256, 1024, 4096]
        degrees, tokens = [1, 8, 2, 4], [8192, 2048, 32768]
    if setting.quick:
        layers, experts, degrees, tokens = layers[:2], experts[:1], degrees[:2], tokens[:2]
    for rows, (width, keys, inner), tp in itertools.product(tokens, layers, degrees):
        yield Product("query, key, value", tp, rows, (width + 2 * keys) // tp, width)
        yield Product("attention's output", tp, rows, width, width // tp)
        yield Product("gate and up", tp, rows, 2 * inner // tp, width)
        yield Product("down", tp, rows, width, inner // tp)
    for rows, (width, inner) in itertools.product(routed, experts):
        yield Product("an expert's gate and up", 1, rows, 2 * inner, width)
        yield Product("an expert's down", 1, rows, width, inner)


def rounded(value: float) -> float:
    """Five significant digits: more are never repeated."""
    return float(f"{value:.5g}")


def summary(times: Sequence[float], work: float, unit: str, peak: float = 0) -> Row:
    """The row of at least two times in seconds, and of the work done in each (FLOPs or bytes)."""
    deciles = statistics.quantiles(times, n=10, method="inclusive")
    middle, ends = statistics.median(times), (deciles[0], deciles[-1])
    row: Row = {"seconds": rounded(middle), "seconds_range": [rounded(end) for end in ends]}
    ranged = [rounded(work / end) for end in reversed(ends)]
    row |= {"repeats": len(times), unit: rounded(work / middle), f"{unit}_range": ranged}
    return {**row, "peak_share": rounded(work / middle / peak)} if peak else row


class Clock:
    """Times of a function on a device, whose caches are flushed before each run."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.wait = setting, torch.cuda.synchronize if setting.cuda else lambda: None
        self.name: str = torch.cuda.get_device_name() if setting.cuda else "CPU"
        # So large that the host has enqueued the run on a GPU before the flush is over.
        size = (512 if setting.cuda else 32) * 2**20
        self.buffer = torch.zeros(size, dtype=torch.int8, device=setting.device)

    def runs(self, once: Callable[[], object]) -> list[float]:
        """Seconds of each run: on a GPU by its own clock."""
        quick, cuda = self.setting.quick, self.setting.cuda
        self.batch(once, 2)
        seconds = (0.3 if quick else 0.6) if cuda else 0.05
        count = max(5, min(REPEATS[quick], int(seconds / max(self.batch(once, 1), 1e-9))))
        if not cuda:
            return [self.batch(once, 1, flush=True) for _ in range(count)]
        pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(count)]
        for start, end in pairs:
            self.buffer.zero_()
            start.record()
            once()
            end.record()
        self.wait()
        return [start.elapsed_time(end) / 1000 for start, end in pairs]

    def batch(self, once: Callable[[], object], count: int, *, flush: bool = False) -> float:
        """Seconds of a run, of as many back to back, by the host's clock."""
        if flush:
            self.buffer.zero_()
        self.wait()
        started = time.perf_counter()
        for _ in range(count):
            once()
        self.wait()
        return (time.perf_counter() - started) / count

    def sustained(self, once: Callable[[], object]) -> list[float]:
        """Seconds of a run in batches of them for some seconds; the first half warms the device."""
        count = max(4, int((2 if self.setting.quick else 6) / 20 / self.batch(once, 20)))
        return [self.batch(once, 20) for _ in range(count)][count // 2 :]


def guarded(row: Row, work: Callable[..., Row], *given: object) -> Row:
    """The row with what was measured, or with the first line of the error that came instead."""
    try:
        return {**row, **work(*given)}
    except Exception as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
    return {**row, "error": "".join(c if c.isprintable() else "?" for c in said)[:200]}


def peak_of(name: str, what: str) -> float:
    """The dense peak of a device, of a precision or of "memory"; 0 if unknown, or of a part (MIG)."""
    rows = (row for row in PEAKS if row[0] in name and "MIG" not in name)
    _, half, narrow, memory = next(rows, ("", 0, 0, 0))
    return {"bf16": half, "fp16": half, "fp8": narrow, "memory": memory}.get(what, 0) * 1e12


def operands(precision: str, product: Product, backward: bool, device: str) -> list[tuple[Any, Any]]:
    """Pairs to multiply, as a linear layer has them in memory; in fp8 as its kernels need them."""
    (m, n, k), kinds = product[2:], {"fp16": torch.float16, "fp32": torch.float32}
    random = partial(torch.randn, device=device, dtype=kinds.get(precision, torch.bfloat16))
    if precision == "fp8":
        sizes, kind = [(m, k, n), (n, k, m)] if backward else [(m, n, k)], torch.float8_e4m3fn
        return [(random(a, i).to(kind), random(b, i).to(kind).t()) for a, b, i in sizes]
    x, w, g = random(m, k), random(n, k), random(m, n)
    return [(g, w), (g.t(), x)] if backward else [(x, w.t())]


def multiplied(precision: str, pairs: Sequence[tuple[Any, Any]]) -> Callable[[], object]:
    """The function that multiplies pairs; of a single one in fp8, the forward, it accumulates fast."""
    multiply = torch.mm
    if precision == "fp8":
        one, kind = torch.ones((), device=pairs[0][0].device), torch.bfloat16
        how = {"scale_a": one, "scale_b": one, "out_dtype": kind, "use_fast_accum": len(pairs) == 1}
        multiply = partial(torch._scaled_mm, **how)
    return lambda: [multiply(a, b) for a, b in pairs]


def product_row(setting: Setting, clock: Clock, precision: str, product: Product, how: str) -> Row:
    """Times of a product, `how`: forward, backward, or the forward sustained."""
    pairs = operands(precision, product, how == "backward", setting.device)
    once = multiplied(precision, pairs)
    times = clock.sustained(once) if how == "sustained" else clock.runs(once)
    work = 2 * product.rows * product.columns * product.inner * len(pairs)
    return summary(times, work, "flops_per_second", peak_of(clock.name, precision))


def matmul(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of matrix products, and of a large one that is sustained; of fp16 few, as it is like bf16."""
    every = list(products(setting))
    large = max((p for p in every if p.rows <= 8192), key=lambda p: p.columns * p.inner)
    for precision in ("bf16", "fp8", "fp16") if setting.cuda else ("fp32",):
        few = every[:4] if precision == "fp16" else every
        asked = list(itertools.product(few, ("forward", "backward")))
        for product, how in [*asked, (large, "sustained")] if setting.cuda else asked:
            row = {"precision": precision, **product._asdict(), "pass": how}
            yield guarded(row, product_row, setting, clock, precision, product, how)


def attention(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of causal attention by head width and length, of as many tokens whatever the length."""
    widths, lengths, kernels, tokens, width = [(64, 64), (128, 128)], [128], ["default"], 512, 256
    if setting.cuda:  # the default is what PyTorch chooses
        lengths, kernels, tokens, width = [2048, 8192], ["default", "flash", "cudnn"], 16384, 2048
    if setting.cuda and not setting.quick:
        widths += [(192, 128), (256, 256)]
        lengths += [1024, 4096, 16384, 32768]
    for (keys, values), length, *how in itertools.product(widths, lengths, kernels, (False, True)):
        row = {"precision": "bf16" if setting.cuda else "fp32", "kernel": how[0], "backward": how[1],
               "batch": max(1, tokens // length), "heads": width // values, "length": length,
               "head_width": keys, "value_width": values}  # fmt: skip
        yield guarded(row, attention_row, setting, clock, row)


def attention_row(setting: Setting, clock: Clock, row: Row) -> Row:
    """Times of the forward, or of forward and backward."""
    keys, values, backward = row["head_width"], row["value_width"], row["backward"]
    sizes = (row["batch"], row["heads"], row["length"])
    kind = torch.bfloat16 if setting.cuda else torch.float32
    random = partial(torch.randn, device=setting.device, dtype=kind)
    q, k, v, g = (random(*sizes, width) for width in (keys, keys, values, values))
    inputs = [one.requires_grad_(backward) for one in (q, k, v)]

    def once() -> object:
        out = torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=True)
        return torch.autograd.grad(out, inputs, g) if backward else out

    named = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
    with sdpa_kernel([named[row["kernel"]]]) if row["kernel"] in named else nullcontext():
        times = clock.runs(once)
    # Two products in the forward, and five in the backward, which computes the scores again.
    flops = q[..., 0].numel() * (row["length"] + 1) * (keys + values + backward * (3 * keys + 2 * values))
    return summary(times, flops, "flops_per_second", peak_of(clock.name, "bf16"))


def memory(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of copies of a vector far larger than the caches, and of sums of two to a third."""

    def work(size: int, vectors: int) -> Row:
        a, b, *c = (torch.ones(size // 4, device=setting.device) for _ in range(vectors))
        times = clock.runs(lambda: torch.add(a, b, out=c[0]) if c else b.copy_(a))
        return summary(times, size * vectors, "bytes_per_second", peak_of(clock.name, "memory"))

    for size, vectors in itertools.product([2**28, 2**30] if setting.cuda else [2**25], (2, 3)):
        row = {"operation": "copy" if vectors == 2 else "add", "bytes": size * vectors}
        yield guarded(row, work, size, vectors)


def collective(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of collectives over processes started for them: one a device, or two on a processor."""
    ranks = torch.cuda.device_count() if setting.cuda else 2
    row: Row = {"ranks": ranks, "backend": "nccl" if setting.cuda else "gloo"}
    if ranks < 2:
        yield {**row, "nothing": "one device is one process: there is nothing to measure"}
        return

    def work() -> Row:
        torch.cuda.empty_cache()  # the first process needs some of the first GPU too
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(rank_of, (ranks, setting, folder), nprocs=ranks)
            return {"all": json.loads((Path(folder) / "rows.json").read_text())}

    found = guarded({}, work)
    yield from ({**row, **one} for one in found.get("all", [found]))


def rank_of(rank: int, ranks: int, setting: Setting, folder: str) -> None:
    """One of the processes; the first writes the rows. They fail together, or after 90 seconds."""
    warnings.simplefilter("ignore")  # such as of newer names, which older versions do not have
    if setting.cuda:
        torch.cuda.set_device(rank)
    torch.distributed.init_process_group(
        "nccl" if setting.cuda else "gloo", init_method=f"file://{folder}/meet", rank=rank,
        world_size=ranks, timeout=timedelta(seconds=90),
    )  # fmt: skip
    clock, sizes = Clock(setting), (20, 24, 28) if setting.quick else range(16, 31, 2)
    powers = sizes if setting.cuda else (16, 20)
    rows = [
        guarded({"collective": name, "bytes": 2**power}, collective_row, name, 2**power, ranks, clock)
        for name, power in itertools.product(("all-reduce", "all-gather", "reduce-scatter"), powers)
    ]
    if rank == 0:
        (Path(folder) / "rows.json").write_text(json.dumps(rows))
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def collective_row(name: str, size: int, ranks: int, clock: Clock) -> Row:
    """Times of a collective of a tensor of `size` bytes, in batches of five, the first two left out."""
    device, dist = clock.setting.device, torch.distributed
    count = size // 4 // ranks
    whole, part = (torch.zeros(n, device=device) for n in (count * ranks, count))
    once = {"all-reduce": lambda: dist.all_reduce(whole),
            "all-gather": lambda: dist.all_gather_into_tensor(whole, part),
            "reduce-scatter": lambda: dist.reduce_scatter_tensor(part, whole)}[name]  # fmt: skip
    times = []
    for _ in range(REPEATS[clock.setting.quick] // 2 + 2):
        dist.barrier()
        times.append(clock.batch(once, 5))
    slowest = torch.tensor(times[2:], device=device)
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    found = summary(slowest.tolist(), count * ranks * 4, "bytes_per_second")
    share = (2 if name == "all-reduce" else 1) * (ranks - 1) / ranks
    return {**found, "bus_bytes_per_second": rounded(found["bytes_per_second"] * share)}


def document(header: Row, rows: Mapping[str, Sequence[Row]]) -> str:
    """The TOML document of a header and of rows by family; their values are written as in JSON."""
    tables = [("[measured]", header)]
    tables += [(f"[[measured.{family}]]", row) for family, found in rows.items() for row in found]
    said = partial(json.dumps, ensure_ascii=False)
    lines = ([name, *(f"{key} = {said(value)}" for key, value in row.items())] for name, row in tables)
    return "\n\n".join("\n".join(table) for table in lines) + "\n"


def header(setting: Setting, clock: Clock, rows: Sequence[Row]) -> Row:
    """What was measured where and when; `spread` is the median of (90th − 10th percentile) / median."""
    times = [(row["seconds"], *row["seconds_range"]) for row in rows if "seconds" in row]
    spread = statistics.median([(high - low) / middle for middle, low, high in times] or [0.0])
    return {
        "device": clock.name, "devices": torch.cuda.device_count() if setting.cuda else 1,
        "torch": str(torch.__version__), "cuda": str(torch.version.cuda or torch.version.hip or "none"),
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),  # noqa: UP017 - Python 3.10 too
        "quick": setting.quick, "repeats": REPEATS[setting.quick], "statistic": "median", "notes": NOTES,
        "spread": rounded(spread), "rows": len(rows), "errors": sum("error" in row for row in rows),
    }  # fmt: skip


def measured(setting: Setting, output: Path | None = None) -> str:
    """The document of what is asked for, written to `output` after each family too. Raises NodeError."""
    if torch is None:
        raise NodeError(
            "measure needs PyTorch 2.4 or newer, which is not installed here: pip install torch"
        )
    if setting.cuda and not torch.cuda.is_available():
        raise NodeError("--device cuda: PyTorch finds no CUDA device, expected one, or --device cpu")
    clock, rows = Clock(setting), dict[str, list[Row]]()

    def kept() -> str:
        made = document(header(setting, clock, list(itertools.chain(*rows.values()))), rows)
        if output is not None:
            output.write_text(made, encoding="utf-8")
        return made

    made = kept()  # of no row yet: better to fail now than when all is measured
    for family, make in zip(FAMILIES, (matmul, attention, memory, collective), strict=True):
        if family in setting.only:
            started, rows[family] = time.perf_counter(), list(make(setting, clock))
            failed, spent = sum("error" in row for row in rows[family]), time.perf_counter() - started
            sys.stderr.write(f"{family}: {len(rows[family])} rows, {failed} failed, in {spent:.1f} s\n")
            made = kept()
    return made


def asked(device: str | None, quick: bool, only: str | None) -> Setting:
    """The setting of a command line; without a device, the GPU where there is one. Raises NodeError."""
    found = FAMILIES if only is None else tuple(part.strip() for part in only.split(","))
    for part in found:
        if part not in FAMILIES:
            raise NodeError(f"--only: found {part!r:.40}, expected some of {', '.join(FAMILIES)}")
    usual = "cuda" if torch is not None and torch.cuda.is_available() else "cpu"
    return Setting(device or usual, quick, found)


def main(arguments: Sequence[str] | None = None) -> int:
    """The script; its exit code is 2 where nothing can be measured, with a sentence on stderr."""
    parser = argparse.ArgumentParser(description="Measure what this node reaches; write a TOML document.")
    parser.add_argument("--quick", action="store_true", help="fewer sizes: under a minute on an H100")
    parser.add_argument("--only", help=f"families, with commas between: {','.join(FAMILIES)}")
    parser.add_argument("--device", choices=["cuda", "cpu"], help="cuda where there is one, if not given")
    parser.add_argument("-o", "--output", type=Path, help="the file to write; printed if not given")
    given = parser.parse_args(arguments)
    try:
        written = measured(asked(given.device, given.quick, given.only), given.output)
    except (NodeError, OSError) as error:
        sys.stderr.write(f"workings: {error}\n")
        return 2
    sys.stdout.write("" if given.output else written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
