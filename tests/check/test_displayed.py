"""What counts as displayed arithmetic, and what is less than that and held back by default."""

from judged_pages import statements

# Each with a mistake that any reader sees on the line itself.
DISPLAYED = (
    "208 GB / 64 = 32.5 GB", "`44 days * 8960 / 171 = 1752 days`", r"$50304\cdot 2048 = 103,202,592$",
    "in GiB: 208e9 / 2^30 = 197.3 GiB", "- 1.581 h × 60 = 91.5 min", "1 TB = 100 GB",
    "16 × 2048 × 32,768 × 4 B = 42.9 GB. Then", "they hold 2 × 64,000 × 5120 = 665,360,000 weights",
    "96 - 17.3 = 113.3", "参数：6 × 7 = 43。", "it takes 2 × 3.5 s = 8 s each time", "(6 × 7 = 43)",
    "6 × 7 = 21 × 2 = 43", "7B params × 2 bytes = 15 GB",
)  # fmt: skip
# Something in or beside these was not read, or can be taken in another way, and then they are right.
IN_PIECES = (
    "soit $16 \\times 1,5 = 24$ Go", "30 d on 2,048 GPUs = 1,474,560 GPU-h", "**Step 3:** ½(1 + 0) = 0.5",
    "68,400 × 86,400 = 59.1 億トークン", "26 / 3350 = 7.76 ミリ秒", "9,070 × 3,600 = 32.7 M tokens",
    "100 - 7.525 = 92.475%", "109.2 / 1,000 ≈ 6.6 minutes", "109.2 hours × $2-4 = $218-437",
    "16 B/param * 46.7B = 747 GB", "4×8 matrix = 128 bytes", "24.88 + 14.3 ≤ 30",
)  # fmt: skip


def layers(line: str) -> list[str]:
    """The layers of what is called wrong on a page with this line."""
    return [s.layer for s in statements(f"# A note\n\n{line}\n") if s.verdict in ("wrong", "unit")]


def test_a_line_of_figures_read_from_end_to_end_is_displayed_arithmetic() -> None:
    assert {line: layers(line)[-1:] for line in DISPLAYED} == {line: ["arithmetic"] for line in DISPLAYED}


def test_a_line_of_which_something_was_not_read_is_none() -> None:
    found = {line: layers(line) for line in IN_PIECES}
    assert {layer for each in found.values() for layer in each} == {"piece"}
    assert sum(bool(each) for each in found.values()) > 8  # the others are read right as they stand


def test_letters_cells_and_what_stands_elsewhere_are_none_either() -> None:
    for text, layer in (
        ("$(p + 1)^2 = p^2 + 1$", "algebra"),
        ("| what | bytes |\n|---|---|\n| 2 * 8192 * 4096 | 68,108,864 |", "apart"),
        ("| what | GB |\n|---|---|\n| weights | 14.2 |\n| gradients | 15.3 |\n| total | 39.5 |", "apart"),
        ("With $d = 2048$ and $f = 14336$:\n\n$2 d f = 2 \\cdot 4096 \\cdot 14336$", "follows"),
    ):
        assert set(layers(text)) == {layer}, (text, layers(text))
