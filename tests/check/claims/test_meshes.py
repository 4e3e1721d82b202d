"""Degrees of parallelism against the number of devices."""

import pytest
from claims_cases import claims, right, wrong

from workings.check.claims.meshes import meshes


@pytest.mark.parametrize(
    "text",
    [
        "We train on 512 GPUs with TP=8, PP=8 and DP=8.",
        "The 1,024 H100s run 8-way tensor, 4-way pipeline and 32-way data parallelism.",
        "```python\n# 256 GPUs\ntensor_model_parallel_size = 8\npipeline_model_parallel_size = 4\n"
        "expert_model_parallel_size = 8\ndata_parallel_size = 8\n```\n",
        "示例配置（1024张A100）：\n\n- 数据并行度：8\n- 张量并行度：8\n- 流水线并行度：16\n",
        "64 GPUs in all: 8 nodes with 8 GPUs each.",
    ],
)
def test_a_mesh_with_as_many_devices_is_explained(text: str) -> None:
    assert right(meshes, text)
    assert not wrong(meshes, text)


@pytest.mark.parametrize(
    "text",
    [
        "We train on 512 GPUs with TP=8, PP=8 and DP=16.",
        "```python\nworld_size = 128\ntp = 8\npp = 4\ndp = 8\n```\n",
        "```\n# 64卡示例 (8节点，每节点8卡)\nTP=8,\nPP=16,\nDP=1\n```\n",
        "约10000张V100，数据并行64+模型并行每组8卡。",
        "Example (1024 A100s):\n\n- data parallel: 8\n- TP = 8, PP = 32, DP = 8\n",
    ],
)
def test_a_mesh_with_another_number_of_devices_is_wrong(text: str) -> None:
    assert len(wrong(meshes, text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "With TP=8 and PP=4 on 512 GPUs the rest is data parallel.",
        "Use TP=2, 4, or 8 and DP=4 on 64 GPUs.",
        "Each node has 8 GPUs; TP=8, PP=4, DP=2.",
        "On 64 GPUs one replica has TP=8 and DP=1.",  # the pipeline may be left out
        "64 or 128 GPUs: TP=8, PP=4, DP=4, on 128 GPUs twice as many.",
    ],
)
def test_what_leaves_an_axis_or_the_number_open_is_not_accused(text: str) -> None:
    assert not wrong(meshes, text)


def test_tables_of_meshes_are_multiplied_row_by_row() -> None:
    table = "| GPUs | TP | PP | DP |\n|---|---|---|---|\n| 64 | 8 | 2 | 4 |\n| 64 | 8 | 2 | 8 |\n"
    assert claims(meshes, table) == [("64", "ok"), ("64", "undecided")]
