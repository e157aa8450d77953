"""The whole process, from the open data to evaluated weights.

    python -m training.run --data DIR --work FOLDER [--start FILE.onnx] [--minutes 9]
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
    parser.add_argument("--start", type=Path, help="weights to continue from; without them, training starts from scratch")
    parser.add_argument("--minutes", type=float, default=9)
    arguments = parser.parse_args()
    rendered, run = arguments.work / "rendered", arguments.work / "run"
    weights = run / "nucleus-network.onnx"
    sources = ("--data", arguments.data, "--rendered", rendered)
    part("rendered_tissue", rendered)
    start = ("--rate", 4e-3)
    if arguments.start:
        checkpoint = arguments.work / "start" / "checkpoint.pt"
        part("restore", *sources, arguments.start, checkpoint)
        start = ("--rate", 2.5e-3, "--start", checkpoint)
    part("train", *sources, *start, "--scale", 2, "--producers", 5, "--minutes", arguments.minutes, "--out", run)
    part("export", run / "checkpoint.pt", weights)
    part("evaluate", *sources, weights)


if __name__ == "__main__":
    main()
