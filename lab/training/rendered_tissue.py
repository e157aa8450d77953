"""Tissue rendered by Stipple's own simulator, with the outline of every nucleus.

It makes up a minority of the training data: a network trained mostly on one renderer learns the renderer.
No benchmark uses the seeds used here.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

RENDER = (
    'import { simulateTissue } from "@stipple/tissue";'
    "await simulateTissue(JSON.parse(process.argv[1]));"
)


CLEAN, HARD = 16, 24


def plans() -> list[dict]:
    """The tissues to render: simulator options, plus `name` and `held_out`."""
    made = []
    for index in range(CLEAN + HARD):
        held_out = CLEAN - 4 <= index < CLEAN
        fluorescence = index % 3 == 2
        options = {
            "seed": (9200 if held_out else 9100) + index,
            "species": "mouse" if index % 2 else "human",
            "staining": "if" if fluorescence else "h_and_e",
            "cellDensity": [4200, 2400, 6000, 3200][index // 2 % 4],
            "morphologyInformative": [1, 0.3, 0.65, 0.5, 0.85][index % 5],
            "stainDrift": [0.5, 1.5, 0.2, 1.0][index % 4],
            # Counts are not used: the minimum the simulator accepts.
            "nGenes": 200,
            "umiPerSpot": 5,
            **(image_of_hard(index) if index >= CLEAN else {"sizeUm": 700, "umPerPx": 0.5}),
        }
        stain = "if" if fluorescence else "he"
        made.append({"name": f"{stain}-{options['seed']}", "held_out": held_out, "options": options})
    return made


def image_of_hard(index: int) -> dict:
    """Almost as hard as real sections; half of the images as from a 40x scan."""
    size = {"sizeUm": 400, "umPerPx": 0.3} if index // 2 % 2 else {"sizeUm": 600, "umPerPx": 0.5}
    return {**size, "imageDifficulty": [0.8, 0.6, 0.8, 0.4][index % 4]}


def render(folder: Path) -> None:
    """Renders every planned tissue missing from `folder`. About five seconds each; needs Node and the workspace."""
    # The workspace includes a Node version that runs TypeScript directly.
    path = os.pathsep.join([str(REPOSITORY / "node_modules" / ".bin"), os.environ.get("PATH", "")])
    for plan in plans():
        target = folder / plan["name"]
        if (target / "truth" / "nuclei.xy.npy").exists():
            continue
        target.mkdir(parents=True, exist_ok=True)
        options = json.dumps({**plan["options"], "out": str(target)})
        subprocess.run(
            ["node", "--input-type=module", "-e", RENDER, options],
            cwd=REPOSITORY,
            env={**os.environ, "PATH": path},
            check=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder to write the tissues to")
    render(parser.parse_args().folder)
