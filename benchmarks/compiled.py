"""The C programs of the benchmark, compiled where they are needed."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FLOOR = ROOT / "benchmarks" / "floor"
COUNTING = ROOT / "sample_bots" / "c_counting"


def compiled(source: Path, folder: Path) -> Path:
    """The program of one C file, made in `folder`. Ends the benchmark if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        sys.exit("the benchmark needs a C compiler: install one as `cc`")
    program = folder / source.stem
    subprocess.run([compiler, "-O2", "-o", program, source], check=True)
    return program
