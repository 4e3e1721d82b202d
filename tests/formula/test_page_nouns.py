"""A noun below a slash says of what each; a name there is what is divided by."""

import pytest
from page_readings import read

NAMED = ("gpus", "tokens", "layers", "params")


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("80 GB / GPU * 8 GPUs", "80[GB]*8"),
        ("80 GB/GPU * 8", "80[GB]*8"),
        ("16 bytes / parameter * 7B parameters", "16[B]*7B"),
        ("6 FLOPs / token / param * 7e9", "6[FLOPs]*7e9"),
        ("12 heads / layer", "12"),
        ("64 attention heads * 2", "64*2"),
    ],
)
def test_a_noun_says_what_is_counted(text: str, reading: str) -> None:
    assert read(text, "text") == reading


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("208 / gpus * 2", "208/gpus*2"),
        ("300 / tokens * 2", "300/tokens*2"),
        ("80 / layers + 2", "80/layers + 2"),
        ("208 GB / gpus * 2", "208[GB]/gpus*2"),
        ("10 / layer * 4", "10/layer*4"),
    ],
)
@pytest.mark.parametrize("names", [(), NAMED])
def test_an_operand_between_signs_is_a_name(text: str, reading: str, names: tuple[str, ...]) -> None:
    assert read(text, "text", "", *names) == reading
    assert read(text, "code", "", *names) == reading


def test_a_defined_name_is_divided_by_at_the_end_too() -> None:
    assert read("208 GB / gpus", "text", "", *NAMED) == "208[GB]/gpus"
    assert read("208e9 / gpus", "code", "", *NAMED) == "208e9/gpus"


def test_gb_per_gpu_stays_so_where_gpu_is_also_a_name() -> None:
    assert read("80 GB/GPU * 8 GPU", "text", "", "GPU") == "80[GB]*8"


@pytest.mark.parametrize("text", ["13B params * 2", "13B Params * 2"])
def test_what_a_figure_counts_is_a_noun_where_it_is_a_name_elsewhere(text: str) -> None:
    assert read(text, "text", "", "params", "Params") == "13B*2"
