"""A launch is read whole: every word of a command is read, ignored by name, or refused."""

import argparse
import json
import random
from itertools import permutations
from pathlib import Path

import pytest
from job_files import launch, remarks

from workings.planning.inputs.given import Reader
from workings.planning.inputs.megatron.arguments import arguments_of
from workings.planning.inputs.megatron.names import MODULES, SEVERAL
from workings.planning.job import Job, JobError

MODEL = {"num_layers": 24, "hidden_size": 2048, "num_attention_heads": 16, "seq_length": 2048,
         "max_position_embeddings": 2048, "vocab_size": 50257, "micro_batch_size": 2,
         "global_batch_size": 512, "tensor_model_parallel_size": 2, "bf16": True,
         "recompute_granularity": "selective"}  # fmt: skip
# Three values of each flag that takes several, as a run might give them.
VALUES = {
    "recompute_modules": ["core_attn", "layernorm", "moe_act"],
    "rampup_batch_size": ["16", "32", "5000"],
    "profile_ranks": ["0", "8", "16"],
    "data_path": ["0.3", "a_text_document", "0.7"],
}


def flags(settings: dict[str, object]) -> str:
    """A mapping as a command line."""
    return " ".join(f"--{name.replace('_', '-')}" + ("" if value is True else f" {value}")
                    for name, value in settings.items())  # fmt: skip


def spellings(name: str, values: list[str]) -> dict[str, str]:
    """One argument with several values in every way that a file may write them, by file name."""
    flag, words = f"--{name.replace('_', '-')}", " ".join(values)
    quoted, split = " ".join(f"'{v}'" for v in values), " \\\n    ".join(values)
    start = f"torchrun --nproc_per_node 8 pretrain_gpt.py {flags(MODEL)}"
    lists = {**MODEL, name: values}
    plain = "\n".join(f"{key}: {str(v).lower()}" for key, v in MODEL.items())
    items = "\n".join(f"  - {value}  # an item" for value in values)
    python = "\n".join(f"args.{key} = {v!r}" for key, v in MODEL.items())
    return {
        "last.sh": f"{start} {flag} {words}\n",
        "before.sh": f"{start} {flag} {words} --swiglu  # the end\n",
        "quoted.sh": f'{start} {flag} {quoted} "--swiglu" 2>&1 | tee log.txt\n',
        "continued.sh": f"{start} \\\n  {flag} {split} \\\n  --swiglu >> log.txt\n",
        "variable.sh": f'MANY="{words}"\n{start} {flag} $MANY --swiglu\n',
        "array.sh": f"ARGS=(\n {flag} {words}  # both\n)\n{start} ${{ARGS[@]}} --swiglu\n",
        "alone.sh": f"{flags(MODEL)} {flag} {words}\n",
        "again.sh": f"{start} {flag} {values[0]} {flag} {words}\n",
        "run.json": json.dumps(lists),
        "block.yaml": f"{plain}\n{name}:\n{items}\nlr: 1e-4\n",
        "flow.yaml": f"{plain}\n{name}: [{', '.join(values)}]\n",
        "list.py": f"{python}\nargs.{name} = {values!r}\n",
        "tuple.py": f"config = dict({name}={tuple(values)!r})\n{python}\n",
    }


def test_several_values_are_read_in_every_order_and_every_file(tmp_path: Path) -> None:
    """The letters that hang on such an argument: which parts of a block are computed again."""
    modules: list[tuple[str, ...]] = [("core_attn",), ("layernorm",)]
    modules += [order for k in (2, 3) for order in permutations(VALUES["recompute_modules"], k)]
    for order in modules:
        for name, text in spellings("recompute_modules", list(order)).items():
            job = launch(tmp_path, text, name, more="devices = 16")
            assert job.values()["z_c"] == ("core_attn" in order), (order, name)
            assert job.values()["r_nrm"] == ("layernorm" in order), (order, name)
            assert job.values()["r_gat"] == ("mlp" in order), (order, name)
            assert (
                remarks(job, "ignored").get("--recompute-modules moe_act")
                == ("the model has no experts" if "moe_act" in order else None)
                or name != "last.sh"
            )


def test_every_flag_of_several_values_keeps_all_of_them_in_their_order() -> None:
    for name in SEVERAL:
        for order in permutations(VALUES.get(name, ["first", "second", "third"])):
            for file, text in spellings(name, list(order)).items():
                arguments = arguments_of(Reader(Path(), file), text)
                found = arguments.several(name) or []
                assert [str(value) for value in found] == list(order), (name, file)
                assert arguments.on("swiglu") == ("swiglu" in text), (name, file)


def test_a_module_that_no_version_knows_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    for order in permutations(["core_attn", "core"]):
        for name, text in spellings("recompute_modules", list(order)).items():
            with pytest.raises(JobError, match=f"found 'core', expected modules.*{MODULES[-1]}"):
                launch(tmp_path, text, name, more="devices = 16")


def test_the_last_of_equal_flags_counts_and_the_first_is_named(tmp_path: Path) -> None:
    line = f"python pretrain_gpt.py {flags(MODEL)} --micro-batch-size 4 --recompute-modules mlp"
    job = launch(tmp_path, f"{line} --recompute-modules core_attn\n", more="devices = 16")
    values = job.values()
    assert values["b_m"] == 4
    assert values["z_c"] == 1
    assert {"--micro-batch-size 2", "--recompute-modules mlp"} <= set(remarks(job, "ignored"))


PIECES = ("--recompute-modules core_attn layernorm", "--recompute-modules mlp", "--swiglu", "--lr 1e-4",
          "--cp-comm-type p2p a2a", "--unheard-of 1 2 x", "--seed=3", "$EXTRA", '"$@"', "--bf16", "stray",
          "--rampup-batch-size 16 16 100", "--profile-ranks=0 8", "--num-layers 24", "--no-load-optim",
          "-x 3", "--seq-length 2048 2049", "'--lr' '3e-4'", "\\\n")  # fmt: skip


def argparsed(words: list[str]) -> argparse.Namespace | None:
    """What argparse itself makes of a command's words; None where it refuses them."""
    parser = argparse.ArgumentParser(allow_abbrev=False, exit_on_error=False)
    for name, value in {**MODEL, "swiglu": True, "no_load_optim": True}.items():
        action = "store_true" if value is True else "store"
        parser.add_argument(f"--{name.replace('_', '-')}", action=action)
    parser.add_argument("--recompute-modules", nargs="+", choices=MODULES)
    for name in ("cp_comm_type", "profile_ranks", "unheard_of"):
        parser.add_argument(f"--{name.replace('_', '-')}", nargs="+")
    parser.add_argument("--rampup-batch-size", nargs=3)
    parser.add_argument("--lr")
    parser.add_argument("--seed")
    try:
        known, unknown = parser.parse_known_args(words)
    except argparse.ArgumentError:
        return None
    return None if unknown else known


def outcome(folder: Path, text: str) -> Job | str:
    """The job of a launch, or the sentence that refuses it."""
    try:
        return launch(folder, text, more="devices = 16")
    except JobError as error:
        return str(error)


def accounted(job: Job, words: list[str]) -> None:
    """Every flag is a key of what was noted, every other word stands there with it."""
    keys = [note.key for note in job.noted]
    told = " ".join(f"{note.key} {note.text}" for note in job.noted)
    for word in words:
        name, _, value = word.partition("=")
        assert name in (keys if word.startswith("--") else told), word
        assert value in told, word


def test_every_word_of_a_command_is_read_ignored_by_name_or_refused(tmp_path: Path) -> None:
    """Random command lines, held against Python's own argparse; variables that are not set are named."""
    draw, read, refusals = random.Random(14), 0, 0  # noqa: S311
    for _ in range(200):
        pieces = draw.sample(PIECES, draw.randint(1, 5))
        more = " ".join(pieces)
        bare = [w.strip("'") for piece in pieces if piece[-1] not in "\n" for w in piece.split()]
        words = [w for w in bare if w not in ("$EXTRA", '"$@"')]
        expected = argparsed(flags(MODEL).split() + words)
        found = outcome(tmp_path, f"srun --exclusive python -u pretrain_gpt.py {flags(MODEL)} {more}\n")
        if isinstance(found, str):
            assert expected is None or "$" in found, more
            assert any(word in found for word in bare), (more, found)
            refusals += 1
            continue
        accounted(found, [word.strip('"') for word in bare])
        if expected is None:  # one word too many of a flag that has no effect here: shown with it
            continue
        read += 1
        modules = expected.recompute_modules or ["core_attn"]
        assert found.values()["z_c"] == ("core_attn" in modules), more
        assert found.values()["r_nrm"] == ("layernorm" in modules), more
    assert read > 20
    assert refusals > 20


def test_the_words_that_start_the_program_and_redirections_are_no_values(tmp_path: Path) -> None:
    line = f"torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py {flags(MODEL)}"
    for end in ("", " > log", " >log 2>&1", " 2>&1 | tee log", " &>> log &", " 2> err < in"):
        job = launch(tmp_path, f"{line} --swiglu{end}\n")
        assert job.values()["n"] == 16, end
        assert job.values()["n_f"] == 3, end
        assert remarks(job, "read")["torchrun pretrain_gpt.py"] == "starts the program"


def test_keys_that_share_a_line_of_yaml_are_refused_and_not_passed_over(tmp_path: Path) -> None:
    text = "num_layers: 24\nmesh: {tensor_model_parallel_size: 8}\ndata: {a: 1}\n"
    with pytest.raises(JobError, match="mesh: found 'several keys in one line', expected each on a line"):
        launch(tmp_path, text, "a.yaml")
