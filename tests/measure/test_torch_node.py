"""The measuring itself, on a processor at sizes that are nothing: each family gives rows with rates."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from workings.measure import node
from workings.measure.node import Clock, NodeError, Product, Setting

pytestmark = pytest.mark.torch

SMALL = Product("down", 1, 32, 48, 16)
SETTING = Setting("cpu", quick=True)


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch")


@pytest.fixture
def clock(torch: Any) -> Clock:
    return Clock(SETTING)


def test_a_document_of_a_family(torch: Any, tmp_path: Path) -> None:
    file = tmp_path / "node.toml"
    made = node.measured(Setting("cpu", True, ("memory",)), file)
    assert file.read_text(encoding="utf-8") == made
    found = tomllib.loads(made)["measured"]
    assert (found["device"], found["torch"], found["rows"], found["errors"]) == (
        "CPU", torch.__version__, 2, 0,
    )  # fmt: skip
    assert [row["operation"] for row in found["memory"]] == ["copy", "add"]
    for row in found["memory"]:
        low, high = row["bytes_per_second_range"]
        assert 0 < low <= row["bytes_per_second"] <= high
        assert row["bytes_per_second"] == pytest.approx(row["bytes"] / row["seconds"], rel=1e-3)


@pytest.mark.parametrize("how", ["forward", "backward"])
def test_a_product(clock: Clock, how: str) -> None:
    row = node.product_row(SETTING, clock, "fp32", SMALL, how)
    flops = 2 * 32 * 48 * 16 * (2 if how == "backward" else 1)
    assert row["flops_per_second"] == pytest.approx(flops / row["seconds"], rel=1e-3)


@pytest.mark.parametrize("precision", ["bf16", "fp32", "fp8"])
def test_operands_are_the_matrices_of_forward_and_backward(torch: Any, precision: str) -> None:
    forward = node.operands(precision, SMALL, False, "cpu")
    backward = node.operands(precision, SMALL, True, "cpu")
    assert [(a.shape, b.shape) for a, b in forward] == [((32, 16), (16, 48))]
    assert [(*a.shape, b.shape[1]) for a, b in backward] == [(32, 48, 16), (48, 32, 16)]
    if precision == "fp8":  # rows of the one, columns of the other lie together
        assert all(a.is_contiguous() and b.t().is_contiguous() for a, b in (*forward, *backward))


def test_the_backward_products_are_the_gradients(torch: Any) -> None:
    torch.manual_seed(3)
    [(g, w), (_, x)] = node.operands("fp32", SMALL, True, "cpu")
    x, w = x.clone().requires_grad_(), w.clone().requires_grad_()
    by_x, by_w = torch.autograd.grad(x @ w.t(), (x, w), g)
    assert torch.allclose(g @ w, by_x, atol=1e-5)
    assert torch.allclose(g.t() @ x, by_w, atol=1e-5)


@pytest.mark.parametrize("backward", [False, True])
def test_attention(clock: Clock, backward: bool) -> None:
    asked = {"kernel": "default", "backward": backward, "batch": 1, "heads": 2, "length": 8,
             "head_width": 16, "value_width": 32}  # fmt: skip
    row = node.attention_row(SETTING, clock, asked)
    scores = 2 * 8 * 9 // 2
    flops = 2 * scores * (16 + 32 + (3 * 16 + 2 * 32) * backward)
    assert row["flops_per_second"] == pytest.approx(flops / row["seconds"], rel=1e-3)


def test_a_kernel_that_is_not_there_is_a_row(clock: Clock) -> None:
    asked = {"kernel": "cudnn", "backward": False, "batch": 1, "heads": 1, "length": 8,
             "head_width": 16, "value_width": 16}  # fmt: skip
    row = node.guarded(asked, node.attention_row, SETTING, clock, asked)
    assert row["error"]
    assert "seconds" not in row


@pytest.mark.slow
def test_collectives_of_two_processes(clock: Clock) -> None:
    rows = list(node.collective(SETTING, clock))
    assert [row["collective"] for row in rows[::2]] == ["all-reduce", "all-gather", "reduce-scatter"]
    for row in rows:
        assert (row["ranks"], row["backend"]) == (2, "gloo")
        share = 1 if row["collective"] == "all-reduce" else 0.5
        assert row["bus_bytes_per_second"] == pytest.approx(row["bytes_per_second"] * share, rel=1e-3)


def test_one_device_has_no_collectives(torch: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    [row] = node.collective(Setting("cuda"), clock)
    assert row["nothing"] == "one device is one process: there is nothing to measure"


def test_a_gpu_that_is_not_there_is_said(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(NodeError, match="--device cuda: PyTorch finds no CUDA device"):
        node.measured(Setting("cuda"))
    assert node.asked(None, True, None).device == "cpu"
