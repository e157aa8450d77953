"""The whole process, from the open data to evaluated weights.

    python -m training.run --data DIR --work FOLDER [--minutes 23]
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
    parser.add_argument("--minutes", type=float, default=23)
    arguments = parser.parse_args()
    rendered, run = arguments.work / "rendered", arguments.work / "run"
    weights = run / "nucleus-network.onnx"
    sources = ("--data", arguments.data, "--rendered", rendered)
    part("rendered_tissue", rendered)
    # Train a teacher together with the network, then the network on labels and teacher output, twice at lower rates.
    train = ("train", *sources, "--scale", 2, "--producers", 3)
    first, second = arguments.work / "first", arguments.work / "second"
    share = arguments.minutes / 22.6
    part(*train, "--out", first, "--minutes", 8.6 * share, "--both")
    teacher = ("--teacher", first / "teacher.pt")
    part(*train, "--out", second, "--minutes", 8.5 * share, "--start", first / "checkpoint.pt", *teacher,
         "--rate", 2.5e-3, "--seed", 2)
    part(*train, "--out", run, "--minutes", 5.5 * share, "--start", second / "checkpoint.pt", *teacher,
         "--rate", 1.5e-3, "--seed", 3)
    part("export", run / "checkpoint.pt", weights)
    part("evaluate", *sources, weights)


if __name__ == "__main__":
    main()
