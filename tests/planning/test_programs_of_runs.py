"""Runs that are evidence for a job: those of the program that it names, where there are enough."""

from fractions import Fraction

import pytest

from workings.planning.accuracy import Run, of_kind, of_memory

PLAIN = {"z_2": Fraction(0), "E": Fraction(0)}


def runs(program: str, number: int, sources: int, generation: str = "NVIDIA Hopper") -> list[Run]:
    return [
        Run(generation, "16-bit", Fraction(1), PLAIN, f"{program} {place % sources}", program)
        for place in range(number)
    ]


OTHERS = runs("", 20, 10)


def test_a_job_that_names_its_program_is_told_by_that_one_s_runs() -> None:
    own = runs("megatron", 9, 9)
    assert of_kind([*OTHERS, *own], PLAIN, "megatron") == tuple(own)
    assert len(of_kind([*OTHERS, *own], PLAIN)) == len(OTHERS) + len(own)


@pytest.mark.parametrize(("number", "sources"), [(8, 8), (40, 8), (0, 1)])
def test_where_these_are_few_all_programs_tell(number: int, sources: int) -> None:
    every = [*OTHERS, *runs("megatron", number, sources)]
    assert of_kind(every, PLAIN, "megatron") == tuple(every)


def test_peaks_count_on_any_device_of_the_program_but_tpus_apart() -> None:
    own = [*runs("megatron", 9, 9), *runs("megatron", 4, 4, "NVIDIA Ampere")]
    tpus = runs("", 9, 9, "TPU v4")
    every = (*OTHERS, *own, *tpus)
    assert of_memory(every, "NVIDIA Hopper", "16-bit", "megatron") == tuple(own)
    assert of_memory(every, "NVIDIA Hopper", "16-bit", "torchtitan") == (*OTHERS, *own)
    assert of_memory(every, "TPU v5p", "16-bit", "megatron") == tuple(tpus)
