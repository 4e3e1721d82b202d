"""What one node reaches: matrix products, attention, memory and collectives, timed with plain PyTorch.

The module imports the standard library and torch alone, so that it runs as a script where nothing else is
installed: `python node.py --quick -o node.toml`. It prints one TOML document in base units: seconds,
FLOP/s, bytes, bytes per second. What fails is a row with `error` and stops nothing else. Clocks and power
limits are read where torch can and left as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

try:
    import torch
except (ImportError, OSError):  # OSError: a library of CUDA that cannot be loaded
    torch = None

FAMILIES = ("matmul", "attention", "memory", "collective")
NO_TORCH = "measure needs PyTorch, which is not installed here: pip install torch"
NO_CUDA = "--device cuda: PyTorch finds no CUDA device here, expected one, or --device cpu"
NOTES = (
    "Seconds are medians of single runs after a warm-up, ranges the 10th to the 90th percentile.",
    "Caches are flushed before each run by overwriting a buffer; sustained rows run back to back instead.",
    "Inputs are normally distributed, which draws more power than zeros would.",
    "A backward product is both of its products, by the input and by the weight.",
    "fp8 is e4m3 with one scale a tensor, casts left out; fast accumulation in the forward alone.",
    "FLOPs of attention are those of the scores on and below the diagonal; the backward computes them again.",
    "Bytes of memory are read plus written; bus bandwidth is what nccl-tests calls busbw.",
)
Row = dict[str, Any]

# Dense peaks by a part of the device's name: FLOP/s of bf16 and fp16, of fp8, bytes per second of memory.
# The first that fits counts; 0 is unknown. Data sheets of the makers, with sparsity halved.
PEAKS: Sequence[tuple[str, float, float, float]] = (
    ("B200", 2250e12, 4500e12, 8.0e12), ("GH200", 989.4e12, 1978.9e12, 4.0e12),
    ("H200 NVL", 835.5e12, 1671e12, 4.8e12), ("H200", 989.4e12, 1978.9e12, 4.8e12),
    ("H100 PCIe", 756e12, 1513e12, 2.0e12), ("H100 NVL", 835.5e12, 1671e12, 3.9e12),
    ("H100", 989.4e12, 1978.9e12, 3.35e12), ("H800", 989.4e12, 1978.9e12, 3.35e12),
    ("H20", 148e12, 296e12, 4.0e12), ("A100-SXM4-80GB", 312e12, 0, 2.039e12),
    ("A100 80GB", 312e12, 0, 1.935e12), ("A100", 312e12, 0, 1.555e12), ("L40S", 362e12, 733e12, 0.864e12),
)  # fmt: skip


class NodeError(ValueError):
    """What was asked cannot be measured here; the message is one sentence."""


@dataclass(frozen=True)
class Setting:
    """What to measure and how long: on which device, with few sizes or all, at most so many repeats."""

    device: str
    quick: bool
    only: tuple[str, ...] = FAMILIES

    @property
    def repeats(self) -> int:
        """Runs of a row, where they do not take longer than `seconds`."""
        return 20 if self.quick else 50

    @property
    def seconds(self) -> float:
        """What the runs of a row may take before there are fewer, at least five."""
        return 0.3 if self.quick else 1.0

    @property
    def tiny(self) -> bool:
        """Whether sizes are those of a processor, which is slower by a thousand."""
        return self.device == "cpu"


@dataclass(frozen=True)
class Product:
    """A matrix product of a layer: rows × inner by inner × columns, and what it is of."""

    name: str
    rows: int
    columns: int
    inner: int
    tp: int = 1

    @property
    def flops(self) -> int:
        """FLOPs of the forward: a product and a sum for each triple."""
        return 2 * self.rows * self.columns * self.inner


# ---- sizes


def products(setting: Setting) -> Iterator[Product]:
    """The products of Llama-like layers by width, tensor-parallel degree and tokens, and of experts."""
    if setting.tiny:
        layers, degrees, tokens = [(512, 128, 1408)], (1, 2), (256,) if setting.quick else (256, 1024)
        experts, shares = [(512, 128)], (64,)
    else:
        layers = [(4096, 1024, 14336), (8192, 1024, 28672)]
        layers += [] if setting.quick else [(2048, 512, 8192), (16384, 1024, 53248)]
        degrees, tokens = ((1, 8), (8192,)) if setting.quick else ((1, 2, 4, 8), (2048, 8192, 32768))
        experts = [(7168, 2048)] if setting.quick else [(7168, 2048), (4096, 14336), (2048, 768)]
        shares = (256, 1024, 4096)
    for rows in tokens:
        for width, keys, inner in layers:
            for tp in degrees:
                yield Product("query, key, value", rows, (width + 2 * keys) // tp, width, tp)
                yield Product("attention's output", rows, width, width // tp, tp)
                yield Product("gate and up", rows, 2 * inner // tp, width, tp)
                yield Product("down", rows, width, inner // tp, tp)
    for rows in shares:
        for width, inner in experts:
            yield Product("an expert's gate and up", rows, 2 * inner, width)
            yield Product("an expert's down", rows, width, inner)


def attentions(setting: Setting) -> Iterator[tuple[int, int, int, int, int]]:
    """Batch, heads, length, width of keys and width of values; as many tokens whatever the length."""
    if setting.tiny:
        yield from ((1, 4, n, 64, 64) for n in ((256,) if setting.quick else (256, 1024)))
        return
    widths = [(64, 64), (128, 128)] if setting.quick else [(64, 64), (128, 128), (192, 128), (256, 256)]
    for keys, values in widths:
        for length in (2048, 8192) if setting.quick else (1024, 2048, 4096, 8192, 16384, 32768):
            yield max(1, 16384 // length), 2048 // values, length, keys, values


def message_sizes(setting: Setting) -> list[int]:
    """Bytes of the messages of collectives."""
    if setting.tiny:
        return [1 << 16, 1 << 20, 1 << 23]
    few = [1 << 20, 1 << 24, 1 << 28]
    return few if setting.quick else [1 << 16, 1 << 18, *few, 1 << 22, 1 << 26, 1 << 30]


# ---- timing


def rounded(value: float) -> float:
    """Five significant digits: more are never repeated."""
    return float(f"{value:.5g}")


def summary(times: Sequence[float]) -> Row:
    """Median, 10th to 90th percentile and number of runs, of at least two."""
    deciles = statistics.quantiles(times, n=10, method="inclusive")
    ends = [rounded(deciles[0]), rounded(deciles[-1])]
    return {"seconds": rounded(statistics.median(times)), "seconds_range": ends, "repeats": len(times)}


def rate(found: Row, work: float, unit: str, peak: float = 0) -> Row:
    """A summary with its rate, FLOP/s or bytes per second, and the share of the peak where it is known."""
    reached = work / found["seconds"]
    row = {**found, unit: rounded(reached)}
    row[f"{unit}_range"] = [rounded(work / end) for end in reversed(found["seconds_range"])]
    return {**row, "peak_share": round(reached / peak, 4)} if peak else row


class Clock:
    """Times of a function on a device, with its caches flushed before each run."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.cuda = setting, setting.device == "cuda"
        # Also long enough on a GPU that the host has enqueued the run before the flush is over.
        size = (512 if self.cuda else 64) * 2**20
        self.buffer = torch.empty(size, dtype=torch.int8, device=setting.device)

    def wait(self) -> None:
        """Until the device has done all that it was given."""
        if self.cuda:
            torch.cuda.synchronize()

    def run(self, once: Callable[[], object]) -> list[float]:
        """Seconds of each run."""
        for _ in range(3):
            once()
        self.wait()
        started = time.perf_counter()
        once()
        self.wait()
        each = max(time.perf_counter() - started, 1e-6)
        count = max(5, min(self.setting.repeats, int(self.setting.seconds / each)))
        return self._events(once, count) if self.cuda else [self._wall(once) for _ in range(count)]

    def _wall(self, once: Callable[[], object]) -> float:
        self.buffer.zero_()
        started = time.perf_counter()
        once()
        return time.perf_counter() - started

    def _events(self, once: Callable[[], object], count: int) -> list[float]:
        pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(count)]
        for start, end in pairs:
            self.buffer.zero_()
            start.record()
            once()
            end.record()
        self.wait()
        return [start.elapsed_time(end) / 1000 for start, end in pairs]

    def sustained(self, once: Callable[[], object], seconds: float) -> list[float]:
        """Seconds of a run in each batch of them, back to back; the first half warms the device."""
        times, until = [], time.perf_counter() + seconds
        while time.perf_counter() < until or len(times) < 4:
            self.wait()
            started = time.perf_counter()
            for _ in range(20):
                once()
            self.wait()
            times.append((time.perf_counter() - started) / 20)
        return times[len(times) // 2 :]


def guarded(row: Row, work: Callable[[], Row]) -> Row:
    """The row with what was measured, or with the error that came instead."""
    try:
        return {**row, **work()}
    except Exception as error:  # noqa: BLE001 - whatever a kernel raises is a result
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        return {**row, "error": "".join(c if c.isprintable() else "?" for c in first)[:200]}


# ---- families


def peaks() -> dict[str, float]:
    """The dense peaks of the device by precision, and of its memory; none where it is not known."""
    name = torch.cuda.get_device_name() if torch.cuda.is_available() else ""
    for part, half, eighth, memory in PEAKS:
        if part in name:
            return {"bf16": half, "fp16": half, "fp8": eighth, "memory": memory}
    return {}


def operands(precision: str, product: Product, backward: bool, device: str) -> list[tuple[Any, Any]]:
    """Pairs of matrices to multiply, laid out as a linear layer has them (fp8: as its kernels need them)."""
    m, n, k = product.rows, product.columns, product.inner
    if precision == "fp8":
        sizes = [(m, k, n), (n, k, m)] if backward else [(m, n, k)]
        kind = torch.float8_e4m3fn
        make = lambda *size: torch.randn(size, device=device, dtype=torch.bfloat16).to(kind)  # noqa: E731
        return [(make(rows, inner), make(columns, inner).t()) for rows, columns, inner in sizes]
    kind = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}[precision]
    x, w = (torch.randn(size, device=device, dtype=kind) for size in ((m, k), (n, k)))
    if not backward:
        return [(x, w.t())]
    g = torch.randn((m, n), device=device, dtype=kind)
    return [(g, w), (g.t(), x)]


def multiplier(precision: str, backward: bool, device: str) -> Callable[[Any, Any], object]:
    """The function that multiplies two matrices of a precision."""
    if precision != "fp8":
        return lambda a, b: torch.mm(a, b)
    one = torch.ones((), device=device)
    return lambda a, b: torch._scaled_mm(  # noqa: SLF001 - torch has no public name for it
        a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=not backward
    )


def matmul(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of matrix products by precision, forward and backward, and the sustained rate of a large one."""
    peak, all_of = peaks(), list(products(setting))
    kinds = ["fp32"] if setting.tiny else ["bf16", "fp16", "fp8"]
    for precision in kinds:
        # fp16 runs on the same units as bf16: few sizes show whether it is as fast.
        for product in all_of[:4] if precision == "fp16" else all_of:
            for backward in (False, True):
                yield one_product(setting, clock, precision, product, backward, peak, sustained=False)
        if not setting.tiny:
            large = max((p for p in all_of if p.rows == 8192 and p.inner == 8192), key=lambda p: p.flops)
            yield one_product(setting, clock, precision, large, False, peak, sustained=True)


def one_product(setting: Setting, clock: Clock, precision: str, product: Product, backward: bool,
                peak: dict[str, float], *, sustained: bool) -> Row:  # fmt: skip
    """A row: bursts with flushed caches, or runs back to back for some seconds."""
    row = {"precision": precision, "of": product.name, "tp": product.tp, "rows": product.rows,
           "columns": product.columns, "inner": product.inner,
           "pass": "backward" if backward else "forward", "sustained": sustained}  # fmt: skip

    def work() -> Row:
        pairs = operands(precision, product, backward, setting.device)
        multiply = multiplier(precision, backward, setting.device)
        once = lambda: [multiply(a, b) for a, b in pairs]  # noqa: E731
        long = 1.5 if setting.quick else 5.0
        times = clock.sustained(once, long) if sustained else clock.run(once)
        return rate(summary(times), len(pairs) * product.flops, "flops_per_second", peak.get(precision, 0))

    return guarded(row, work)


def attention(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of causal attention: what PyTorch takes by itself, FlashAttention and cuDNN's, both passes."""
    kernels = ["default"] if setting.tiny else ["default", "flash", "cudnn"]
    for size in attentions(setting):
        for kernel in kernels:
            for backward in (False, True):
                yield one_attention(setting, clock, size, kernel, backward)


def attention_flops(size: tuple[int, int, int, int, int], backward: bool) -> int:
    """FLOPs of the causal scores: 2 products in the forward, 5 more in the backward."""
    batch, heads, length, keys, values = size
    scores = batch * heads * length * (length + 1) // 2
    return 2 * scores * (keys + values + (3 * keys + 2 * values if backward else 0))


def one_attention(
    setting: Setting, clock: Clock, size: tuple[int, int, int, int, int], kernel: str, backward: bool
) -> Row:
    """A row: the forward, or forward and backward together."""
    batch, heads, length, keys, values = size
    kind, name = (torch.float32, "fp32") if setting.tiny else (torch.bfloat16, "bf16")
    row = {"precision": name, "kernel": kernel, "batch": batch, "heads": heads, "length": length,
           "head_width": keys, "value_width": values, "causal": True,
           "pass": "forward and backward" if backward else "forward"}  # fmt: skip

    def work() -> Row:
        q, k, v = (
            torch.randn((batch, heads, length, w), device=setting.device, dtype=kind, requires_grad=backward)
            for w in (keys, keys, values)
        )
        g = torch.randn((batch, heads, length, values), device=setting.device, dtype=kind)
        with backend(kernel):
            call = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)  # noqa: E731
            once = (lambda: torch.autograd.grad(call(), (q, k, v), g)) if backward else call
            times = clock.run(once)
        flops = attention_flops(size, backward)
        return rate(summary(times), flops, "flops_per_second", peaks().get(name, 0))

    return guarded(row, work)


def backend(kernel: str) -> Any:  # noqa: ANN401 - torch's context
    """The context in which PyTorch takes one kernel of attention, or any."""
    from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: PLC0415

    named = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
    return sdpa_kernel([named[kernel]]) if kernel in named else nullcontext()


def memory(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of copies and sums of large vectors."""
    sizes = [1 << 26] if setting.tiny else [1 << 28, 1 << 30] if setting.quick else [1 << 26, 1 << 28, 1 << 30, 1 << 32]
    for size in sizes:
        for name, moved in (("copy", 2), ("add", 3)):

            def work(size: int = size, name: str = name, moved: int = moved) -> Row:
                kind = torch.float32 if setting.tiny else torch.bfloat16
                a, b, c = (torch.ones(size // kind.itemsize, device=setting.device, dtype=kind) for _ in range(3))
                once = (lambda: b.copy_(a)) if name == "copy" else (lambda: torch.add(a, b, out=c))
                found = summary(clock.run(once))
                return rate(found, moved * size, "bytes_per_second", peaks().get("memory", 0))

            yield guarded({"operation": name, "bytes": size}, work)


# ---- collectives


COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter")


def bus_share(collective: str, ranks: int) -> float:
    """Bus bandwidth over bytes by time, as nccl-tests defines it; bytes are those of the whole."""
    return (2 if collective == "all-reduce" else 1) * (ranks - 1) / ranks


def collective(setting: Setting, clock: Clock) -> Iterator[Row]:
    """Rows of collectives over processes that are started for it, one a device (two on a processor)."""
    ranks = torch.cuda.device_count() if clock.cuda else min(2, os.cpu_count() or 1)
    base: Row = {"ranks": ranks, "backend": "nccl" if clock.cuda else "gloo"}
    if ranks < 2:
        yield {**base, "nothing": "one device is one process: there is nothing to measure"}
        return
    found: list[Row] = []

    def work() -> Row:
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(rank_of, (ranks, setting, folder), nprocs=ranks)
            found.extend(json.loads((Path(folder) / "rows.json").read_text()))
        return {}

    failed = guarded(base, work)
    yield from found or [failed]


def rank_of(rank: int, ranks: int, setting: Setting, folder: str) -> None:
    """One process of the collectives; the first writes the rows."""
    cuda = setting.device == "cuda"
    if cuda:
        torch.cuda.set_device(rank)
    torch.distributed.init_process_group(
        "nccl" if cuda else "gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=ranks,
        timeout=timedelta(seconds=90), device_id=torch.device("cuda", rank) if cuda else None,
    )  # fmt: skip
    clock, rows = Clock(setting), []
    for name in COLLECTIVES:
        for size in sorted(message_sizes(setting)):
            base = {"collective": name, "bytes": size, "ranks": ranks, "backend": "nccl" if cuda else "gloo"}
            rows.append(guarded(base, lambda n=name, s=size: one_collective(n, s, ranks, clock)))
    if rank == 0:
        (Path(folder) / "rows.json").write_text(json.dumps(rows))
    torch.distributed.destroy_process_group()


def one_collective(name: str, size: int, ranks: int, clock: Clock) -> Row:
    """Times of a collective, of the slowest process in each repeat; a fixed number on every process."""
    device, dist = clock.setting.device, torch.distributed
    kind = torch.bfloat16 if clock.cuda else torch.float32
    count = size // kind.itemsize // ranks * ranks
    whole, part = torch.zeros(count, dtype=kind, device=device), torch.zeros(count // ranks, dtype=kind, device=device)
    once = {
        "all-reduce": lambda: dist.all_reduce(whole),
        "all-gather": lambda: dist.all_gather_into_tensor(whole, part),
        "reduce-scatter": lambda: dist.reduce_scatter_tensor(part, whole),
    }[name]
    times = torch.tensor(batches(once, clock), device=device)
    dist.all_reduce(times, op=dist.ReduceOp.MAX)
    found = rate(summary(times.tolist()), size, "bytes_per_second")
    return {**found, "bus_bytes_per_second": rounded(found["bytes_per_second"] * bus_share(name, ranks))}


def batches(once: Callable[[], object], clock: Clock) -> list[float]:
    """Seconds of a call, in each of as many batches of five."""
    times = []
    for turn in range(clock.setting.repeats // 2 + 2):
        torch.distributed.barrier()
        clock.wait()
        started = time.perf_counter()
        for _ in range(5):
            once()
        clock.wait()
        if turn >= 2:  # those before warm up
            times.append((time.perf_counter() - started) / 5)
    return times


# ---- document


def toml_value(value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(one) for one in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def document(header: Row, rows: dict[str, list[Row]]) -> str:
    """The TOML document of a header and of rows by family."""
    lines = ["[measured]", *(f"{key} = {toml_value(value)}" for key, value in header.items())]
    for family, found in rows.items():
        for row in found:
            lines += ["", f"[[measured.{family}]]", *(f"{key} = {toml_value(v)}" for key, v in row.items())]
    return "\n".join(lines) + "\n"


def header(setting: Setting, rows: dict[str, list[Row]]) -> Row:
    """What was measured, where and when, and how far the runs of a row lie apart."""
    cuda = setting.device == "cuda"
    name = torch.cuda.get_device_name() if cuda else f"CPU, {torch.get_num_threads()} threads"
    timed = [row for found in rows.values() for row in found if "seconds" in row]
    apart = [(row["seconds_range"][1] - row["seconds_range"][0]) / row["seconds"] for row in timed]
    found = {"device": name, "devices": torch.cuda.device_count() if cuda else 1, "torch": torch.__version__}
    if cuda:
        found["cuda"] = torch.version.cuda or f"ROCm {torch.version.hip}"
    return {
        **found, "date": datetime.now(timezone.utc).isoformat(timespec="seconds"), "quick": setting.quick,
        "repeats": setting.repeats, "statistic": "median",
        "spread": rounded(statistics.median(apart)) if apart else 0.0,
        "rows": len(timed), "errors": sum("error" in row for found in rows.values() for row in found),
        "notes": list(NOTES),
    }  # fmt: skip


def measured(setting: Setting, say: Callable[[str], object] = lambda _: None) -> str:
    """Measure what is asked for and return the document. Raises NodeError."""
    if torch is None:
        raise NodeError(NO_TORCH)
    if setting.device == "cuda" and not torch.cuda.is_available():
        raise NodeError(NO_CUDA)
    rows: dict[str, list[Row]] = {}
    clock = Clock(setting)
    for family, of in (("matmul", matmul), ("attention", attention), ("memory", memory), ("collective", collective)):
        if family in setting.only:
            started = time.perf_counter()
            rows[family] = list(of(setting, clock))
            say(f"{family}: {len(rows[family])} rows in {time.perf_counter() - started:.1f} s")
    return document(header(setting, rows), rows)


def families(text: str) -> tuple[str, ...]:
    """The families that --only names, with commas between. Raises NodeError."""
    found = tuple(part.strip() for part in text.split(","))
    for part in found:
        if part not in FAMILIES:
            raise NodeError(f"--only: found {part!r}, expected some of {', '.join(FAMILIES)}")
    return found


def default_device() -> str:
    """The GPU where there is one."""
    return "cuda" if torch is not None and torch.cuda.is_available() else "cpu"


def main(arguments: Sequence[str] | None = None) -> int:
    """The script: exit code 2 and one sentence on what cannot be."""
    parser = argparse.ArgumentParser(description="Measure what this node reaches; print one TOML document.")
    parser.add_argument("--quick", action="store_true", help="fewer sizes: a minute on a GPU")
    parser.add_argument("--only", default=",".join(FAMILIES), help="families, with commas between")
    parser.add_argument("-o", "--output", help="file to write to; printed if not given")
    parser.add_argument("--device", choices=["cuda", "cpu"], default=None)
    given = parser.parse_args(arguments)
    try:
        setting = Setting(given.device or default_device(), given.quick, families(given.only))
        made = measured(setting, lambda words: print(words, file=sys.stderr))
    except NodeError as error:
        print(f"workings: {error}", file=sys.stderr)
        return 2
    if given.output:
        Path(given.output).write_text(made, encoding="utf-8")
    else:
        sys.stdout.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
