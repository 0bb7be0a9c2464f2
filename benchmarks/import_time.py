"""How long `import planar_arm_ik` takes, as whole processes, against `import numpy`.

python benchmarks/import_time.py [--runs 15]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

FLOOR = "import numpy"
ASKED = ("import planar_arm_ik", "from planar_arm_ik import solve", "from planar_arm_ik import *")


def seconds(code: str) -> float:
    """Time one process that runs a line of Python [s]."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begin


def main() -> None:
    """Alternate floor and question, and print the median ratio of the pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    for code in ASKED:
        ratios = [seconds(code) / seconds(FLOOR) for _ in range(runs)]
        print(f"{code:34} {statistics.median(ratios):5.2f} times {FLOOR}")


if __name__ == "__main__":
    main()
