"""How many layouts a second the planner evaluates, on one thread, and how long a whole search takes.

    python benchmarks/plan.py                          the rates and the process
    python benchmarks/plan.py --peer VENV/bin/python   beside llm-analysis, which that Python has

A layout counts where memory and the time of its step were both evaluated; pruned ones are printed
apart. Everything is measured in one run on one machine, so the ratios count and not the rates.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from _ratio import python, ratio
from searching.rates import FULL, STEP, Rate, evaluating, one_by_one, searching

from workings.planning.inputs import read_job

JOBS = ("llama3-405b-16k", "gpt3-512", "moe-1024")
WHOLE = (
    "from workings.planning.inputs import read_job; from workings.planning.search import search;"
    "from workings.planning.stored import stored_plan;"
    "found = search(read_job('llama3-405b-16k'), stored_plan());"
    "assert found.tally.valid > 120_000 and found.best"
)
AIM, TIMES_PEER, TIMES_NOTHING = 20e6, 5_000, 15


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--peer", type=Path, help="a Python that has llm-analysis")
    options = parser.parse_args()
    first = None
    for name in JOBS:
        rate = _job(name)
        first = first or rate
    if first is not None:
        _peer(first, options.peer)
    ratio("whole search, Llama 3 405B on 16,384", python(WHOLE), python("pass"), TIMES_NOTHING)


def _job(name: str) -> Rate:
    """The rates of one job; returns that of memory and step time."""
    job = read_job(name)
    step, full, alone = evaluating(job, STEP), evaluating(job, FULL), one_by_one(job, STEP)
    whole, pruned = searching(job)
    print(f"\n{job.name}: {step.layouts:,} layouts")
    _line("memory and step time", step, f"aim ≥ {AIM / 1e6:.0f} million, {_word(step.median >= AIM)}")
    _line(f"all {len(FULL)} outputs", full)
    _line("a search with its limits, best and front", whole, f"{pruned:,} more pruned")
    print(f"  {'one by one, exactly':44} {alone:11,.0f} a second; arrays {step.median / alone:,.0f} ×")
    return step


def _line(what: str, rate: Rate, more: str = "") -> None:
    both = f"{rate.median / 1e6:8.1f} million a second (quickest pass {rate.best / 1e6:.1f})"
    print(f"  {what:44} {both}{'; ' if more else ''}{more}")


def _peer(ours: Rate, interpreter: Path | None) -> None:
    """The same beside llm-analysis, where it is installed."""
    if interpreter is None:
        print("\nllm-analysis: left out; --peer names a Python that has it (pip install llm-analysis)")
        return
    script = Path(__file__).with_name("searching") / "peer.py"
    ran = subprocess.run([str(interpreter), str(script)], capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"llm-analysis did not run in {interpreter}: {ran.stderr.strip()[-300:]}")
    theirs = float(ran.stdout.split()[-1])
    times = ours.median / theirs
    print(f"\nllm-analysis: {theirs:,.0f} layouts a second; ours {times:,.0f} × "
          f"(aim ≥ {TIMES_PEER:,} ×, {_word(times >= TIMES_PEER)})")  # fmt: skip


def _word(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    main()
