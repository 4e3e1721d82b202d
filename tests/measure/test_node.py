"""What is measured of a node, but for the measuring: sizes, rows, the document, errors. No torch."""

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from workings.measure import node
from workings.measure.node import NodeError, Product, Setting
from workings.scenario.presets import read_preset
from workings.units import parse_quantity

SCRIPT = Path(node.__file__)
WITHOUT_TORCH = (
    "import runpy, sys; sys.modules['torch'] = None; sys.argv = ['node.py', *sys.argv[2:]]; "
    "runpy.run_path(sys.argv_path, run_name='__main__')"
).replace("sys.argv_path", repr(str(SCRIPT)))
GPU, CPU = Setting("cuda"), Setting("cpu")


def test_the_script_imports_the_standard_library_and_torch_alone() -> None:
    found = set()
    for part in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8"))):
        if isinstance(part, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in part.names}
        elif isinstance(part, ast.ImportFrom):
            found.add((part.module or "").partition(".")[0])
    assert found - {"torch"} <= set(sys.stdlib_module_names)
    assert "torch" in found


def test_without_torch_the_script_says_in_a_sentence_what_to_install() -> None:
    ran = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", WITHOUT_TORCH, "--", "--quick"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "workings: measure needs PyTorch 2.4 or newer, which is not installed here: pip install torch\n"
    )


def test_what_is_asked_for() -> None:
    assert node.asked("cpu", True, None) == Setting("cpu", True, node.FAMILIES)
    assert node.asked("cuda", False, "memory, matmul").only == ("memory", "matmul")
    for text in ("", "matmul,gemm"):
        with pytest.raises(NodeError, match=r"--only: found .*, expected some of matmul, attention"):
            node.asked("cpu", True, text)


def test_a_row_says_median_range_and_rate() -> None:
    row = node.summary([1.0, 2.0, 3.0, 4.0, 11.0], 6e12, "flops_per_second", 4e12)
    assert row == {
        "seconds": 3.0, "seconds_range": [1.4, 8.2], "repeats": 5, "flops_per_second": 2e12,
        "flops_per_second_range": [node.rounded(6e12 / 8.2), node.rounded(6e12 / 1.4)], "peak_share": 0.5,
    }  # fmt: skip
    assert "peak_share" not in node.summary([1.0, 1.0], 1, "bytes_per_second")


def test_an_error_is_a_row_and_a_line() -> None:
    def fails(text: str) -> node.Row:
        raise RuntimeError(text)

    assert node.guarded({"bytes": 8}, fails, "out of memory\n\tat 0x1") == {
        "bytes": 8, "error": "out of memory",
    }  # fmt: skip
    assert node.guarded({}, fails, "")["error"] == "RuntimeError"
    assert node.guarded({}, fails, "\x1b[31m\x7f" + "x" * 500)["error"] == "?[31m?" + "x" * 194
    assert node.guarded({"a": 1}, dict, {"b": 2}) == {"a": 1, "b": 2}


def test_the_document_is_toml() -> None:
    header = {"device": 'A "GPU"', "quick": True, "notes": ("é", "b\\"), "spread": 1e-05}
    rows: list[node.Row] = [
        {"bytes": 2**30, "bytes_per_second_range": [2.5e11, 3e16]},
        {"error": "no × kernel"},
    ]
    made = node.document(header, {"memory": rows, "matmul": []})
    assert tomllib.loads(made) == {"measured": {**header, "notes": ["é", "b\\"], "memory": rows}}
    assert json.dumps("é") not in made


NAMES = {
    "h100-sxm": "NVIDIA H100 80GB HBM3", "h200-sxm": "NVIDIA H200", "b200-sxm": "NVIDIA B200",
    "h20-sxm": "NVIDIA H20", "h800-sxm": "NVIDIA H800", "a800-80gb-sxm": "NVIDIA A800-SXM4-80GB",
    "b300-sxm": "NVIDIA B300 SXM6 AC", "gb200-nvl72": "NVIDIA GB200", "gb300-nvl72": "NVIDIA GB300",
    "mi300x": "AMD Instinct MI300X",
}  # fmt: skip


@pytest.mark.parametrize("preset", NAMES)
def test_peaks_are_those_of_the_presets(preset: str) -> None:
    name = NAMES[preset]
    found = read_preset("hardware", preset)
    for key, what in (("compute", "bf16"), ("memory_bandwidth", "memory")):
        value = found[key]["value"]
        assert node.peak_of(name, what) == pytest.approx(float(parse_quantity(str(value)).value)), what


def test_a_peak_that_nobody_knows_is_none() -> None:
    assert node.peak_of("NVIDIA H100 PCIe", "fp8") == 1513e12
    assert node.peak_of("NVIDIA H20", "bf16") == 148e12
    assert node.peak_of("NVIDIA GH200 480GB", "bf16") == 989.4e12
    for name, what in (("CPU", "fp32"), ("NVIDIA H100 80GB HBM3", "fp32"), ("Some GPU", "bf16"),
                       ("NVIDIA H100 80GB MIG 1g.10gb", "bf16"), ("NVIDIA A100", "fp8")):  # fmt: skip
        assert node.peak_of(name, what) == 0, name


def test_the_products_are_those_of_a_layer_and_of_an_expert() -> None:
    found = set(node.products(GPU))
    assert Product("gate and up", 8, 8192, 2 * 28672 // 8, 8192) in found
    assert Product("down", 2, 2048, 4096, 14336 // 2) in found
    assert Product("query, key, value", 1, 32768, 4096 + 2 * 1024, 4096) in found
    assert Product("an expert's down", 1, 256, 7168, 2048) in found
    assert all(size % 16 == 0 for product in found for size in product[2:])  # as kernels of fp8 ask for


@pytest.mark.parametrize("device", ["cuda", "cpu"])
def test_quick_is_a_part_of_all(device: str) -> None:
    few, every = (list(node.products(Setting(device, quick))) for quick in (True, False))
    assert set(few) <= set(every)
    assert len(every) == len(set(every))
    assert (len(few) < len(every)) == (device == "cuda")
    assert max(2 * p.rows * p.columns * p.inner for p in node.products(CPU)) < 10**9
