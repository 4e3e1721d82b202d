"""Calculations of a page, in numbers or letters, and which formulas they are."""

from looping import each

from workings.claims.displayed import display_of
from workings.claims.page import page_of
from workings.field.known import Written
from workings.formula import names_in, parse_expression
from workings.marks.tree import Operation
from workings.reading.reading import read_document

GIVEN = "The model has 40 layers and 8 KV heads of dimension 128, and 64 query heads, on 16 GPUs.\n\n"
LETTERS = {
    "L": "blocks", "K": "kv_heads", "H": "heads", "d": "head_dim", "w": "cache_width", "N": "heads",
    "n": "group", "S": "message", "P": "parameters", "T": "training_tokens",
}  # fmt: skip


def written(display: str, form: str, *times: str) -> bool:
    page = page_of(read_document("page.md", GIVEN + display))
    claim = [*page.chains, *page.coded][-1]
    side = claim.left if isinstance(claim.left, Operation) else claim.right
    shown = display_of(page, claim.block, side)
    tree = parse_expression(form)
    assert shown is not None
    return shown.is_written(Written(tree, {name: LETTERS[name] for name in names_in(tree)}), times)


@each("display, form", [
    ("2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes", "2*L*K*d*w"),
    ("40 × 8 × 128 × 2 bytes = 81,920 bytes", "L*K*d*w"),
    ("2 · 40 · 64 · 128 · 2 B = 1.31 MB", "2*L*H*d*w"),
    ("2 × 40 × 8 × 128 × 2 bytes / 1024 = 160 KiB", "2*L*K*d*w"),
    ("In BF16 the bytes are 2 × 40 × 8 × 128 × 2 = 163840", "2*L*K*d*w"),
    ("The message is 14 GB.\n\n2 × 15/16 × 14 = 26.25 GB", "2*(n - 1)/n*S"),
    ("$$C = 6 N D$$ for $N$ parameters and $D$ training tokens.", "6*P*T"),
    ("$$C^{*} = 6 N D$$ for $N$ parameters and $D$ training tokens.", "6*P*T"),
    ("$$C_\\text{hw} = 6 N D$$ for $N$ parameters and $D$ training tokens.", "6*P*T"),
    ("- P: parameters\n- n: tokens\n\nC = 6·P·n", "6*P*T"),
    ("| N | parameters |\n|---|---|\n| D | training tokens |\n\n$C = 6 N D$", "6*P*T"),
    ("```python\nn_params, n_tokens = 7e9, 2e12\nflops = 6 * n_params * n_tokens\n```", "6*P*T"),
])  # fmt: skip
def test_a_calculation_is_a_formula(display: str, form: str) -> None:
    assert written(display, form)


@each("display, form", [
    ("40 × 8 × 128 × 2 bytes = 81,920 bytes", "2*L*K*d*w"),
    ("2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes", "L*K*d*w"),
    ("2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes", "2*L*H*d*w"),
    ("3 × 40 × 8 × 128 × 2 bytes = 245,760 bytes", "2*L*K*d*w"),
    ("2 × 40 × 8 × 128 × 2 = 163840 values", "2*L*K*d*w"),
    ("The message is 14 GB.\n\n2 × 14/16 × 14 = 24.5 GB", "2*(n - 1)/n*S"),
    ("$$C = 6 N D$$ for $N$ layers and $D$ training tokens.", "6*P*T"),
])  # fmt: skip
def test_a_calculation_is_no_other_formula(display: str, form: str) -> None:
    assert not written(display, form)


def test_what_a_page_may_multiply_by_is_left_aside_where_it_is_named() -> None:
    shown = "2 × 40 × 8 × 128 × 2 bytes × 3 requests = 491,520 bytes"
    assert written(shown, "2*L*K*d*w", "batch")
    assert not written(shown, "2*L*K*d*w")


def test_a_number_that_nobody_calculates_with_is_no_part_of_a_formula() -> None:
    given = "layers, kv_heads, head_dim = 40, 8, 128"
    text = f"```python\n{given}\nkv_cache = {'9' * 60} * layers * kv_heads * head_dim\n```"
    page = page_of(read_document("page.md", text))
    [claim] = page.coded
    assert display_of(page, claim.block, claim.left) is None
