"""The training images in one small file, for a machine without a copy of the data.

    python -m training.bundle --data DIR --rendered DIR FILE.npz

Held-out images are excluded.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from .atlas import as_bytes
from .dataset import FLUORESCENCE_TOP, Example, load_examples, normalized_distance

QUALITY = {"rendered-he": 82, "purple-gray": 92}


def pack(examples: list[Example], path: Path) -> None:
    rows: list[dict[str, object]] = []
    coded: dict[str, np.ndarray] = {}
    for k, e in enumerate(examples):
        if e.stain == "fluorescence":
            coded[f"image{k}"] = cv2.imencode(".png", as_bytes(e)[..., 0])[1]
        else:
            options = [cv2.IMWRITE_JPEG_QUALITY, QUALITY.get(e.group, 94)]
            coded[f"image{k}"] = cv2.imencode(".jpg", cv2.cvtColor(e.image, cv2.COLOR_RGB2BGR), options)[1]
        coded[f"labels{k}"] = cv2.imencode(".png", e.labels)[1]
        coded[f"ignore{k}"] = cv2.imencode(".png", e.ignore)[1]
        coded[f"centers{k}"] = e.centers
        rows.append({name: getattr(e, name) for name in ("name", "group", "stain", "um_per_px", "exact_contours", "diameter")})
    np.savez(path, rows=np.array(rows, dtype=object), **coded)


def unpack(path: Path) -> list[Example]:
    # Safe to unpickle: only this module writes the file.
    file = np.load(path, allow_pickle=True)
    examples = []
    for k, row in enumerate(file["rows"]):
        image = cv2.imdecode(file[f"image{k}"], cv2.IMREAD_UNCHANGED)
        if image.ndim == 2:
            image = image.astype(np.float32) * np.float32(FLUORESCENCE_TOP / 255)
        else:
            image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        labels = cv2.imdecode(file[f"labels{k}"], cv2.IMREAD_UNCHANGED)
        ignore = cv2.imdecode(file[f"ignore{k}"], cv2.IMREAD_UNCHANGED)
        example = Example(image=image, labels=labels, ignore=ignore, centers=file[f"centers{k}"], **row)
        example.distance = normalized_distance(labels)
        examples.append(example)
    return examples


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rendered", type=Path, required=True)
    arguments = parser.parse_args()
    found = load_examples(arguments.data, arguments.rendered)
    pack([e for e in found if not e.held_out], arguments.file)
    print(f"{arguments.file.stat().st_size} bytes")
