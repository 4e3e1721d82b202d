"""Makes the tools of benchmarks/ importable: what a fuzz run asserts, tests of attacks assert too."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
