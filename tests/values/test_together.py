"""Several entries are worked out at one set of settings, none of which is given in vain."""

import json

import pytest
from click.testing import CliRunner

from workings.cli import main

SERVED = ["--set", "model=llama3-8b", "--set", "hardware=h100-sxm"]
BOTH = ["--set", "batch=4", "--set", "sequence_length=1000", "--set", "cache_width=bf16"]


def asked(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["value", *words])
    return done.exit_code, done.output


def test_each_takes_of_the_settings_what_it_knows() -> None:
    code, shown = asked("kv-cache-bytes", "weight-read-time", *SERVED, *BOTH,
                        "--set", "tp=2", "--set", "served_width=fp8")  # fmt: skip
    assert code == 0
    assert "M_kv = 2*b*s*L*K*d_h*w_kv" in shown  # 2·4·1000·32·8·128·2 bytes
    assert "0.52429 GB" in shown
    assert "\n\nT_w = ceil(P/t)*w/W_m" in shown
    alone, own = asked("kv-cache-bytes", *SERVED, *BOTH)
    assert alone == 0
    assert shown.startswith(own.rstrip("\n"))


def test_what_none_of_them_takes_is_refused() -> None:
    code, shown = asked("kv-cache-bytes", "kv-token-bytes", *SERVED, *BOTH, "--set", "tp=2")
    assert code == 2
    assert shown == (
        "workings: --set tp: it changes nothing in kv-cache-bytes or kv-token-bytes, expected a name "
        "that at least one of them takes\n"
    )


def test_alone_a_formula_refuses_what_it_does_not_take() -> None:
    code, shown = asked("kv-cache-bytes", *SERVED, *BOTH, "--set", "tp=2")
    assert code == 2
    assert "--set tp: kv-cache-bytes knows no such name" in shown


def test_letters_of_a_notation_are_shared_too() -> None:
    code, shown = asked("block-forward-flops", "logits-flops", "--at", "llama3-70b-64",
                        "--notation", "megatron", "--set", "h=1024")  # fmt: skip
    assert code == 0
    assert shown.count("h = 1,024") == 2


def test_data_of_several_are_a_list_of_what_each_prints_alone() -> None:
    _, together = asked("kv-cache-bytes", "kv-token-bytes", *SERVED, *BOTH, "--json")
    _, first = asked("kv-cache-bytes", *SERVED, *BOTH, "--json")
    data = json.loads(together)
    assert data["schema"] == json.loads(first)["schema"]
    assert data["values"][0] == json.loads(first)
    assert [one["id"] for one in data["values"]] == ["kv-cache-bytes", "kv-token-bytes"]


@pytest.mark.parametrize(("text", "bytes_"), [("bf16", 2), ("FP8", 1), ("int4", 0.5), ("fp32", 4)])
def test_a_width_is_given_by_the_format_of_its_numbers(text: str, bytes_: float) -> None:
    code, shown = asked("kv-token-bytes", *SERVED, "--set", f"cache_width={text}", "--json")
    assert code == 0
    assert json.loads(shown)["value"] == 2 * 32 * 8 * 128 * bytes_
