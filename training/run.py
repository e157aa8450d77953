"""Everything from the open data to judged weights.

    python -m training.run --data DIR --work FOLDER [--minutes 72]
"""

import argparse
import subprocess
import sys
from pathlib import Path


def part(name: str, *arguments: object) -> None:
    subprocess.run([sys.executable, "-m", f"training.{name}", *map(str, arguments)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the open data sets")
    parser.add_argument("--work", type=Path, required=True, help="folder for tissues, checkpoints and the result")
    parser.add_argument("--minutes", type=float, default=72)
    arguments = parser.parse_args()
    rendered, run = arguments.work / "rendered", arguments.work / "run"
    weights = run / "nucleus-network.onnx"
    sources = ("--data", arguments.data, "--rendered", rendered)
    part("rendered_tissue", rendered)
    part("train", *sources, "--out", run, "--minutes", arguments.minutes)
    part("export", run / "checkpoint.pt", weights)
    part("evaluate", *sources, weights)


if __name__ == "__main__":
    main()
