"""A network's accuracy in finding nuclei, by group, at 0.5 µm per pixel.

    python -m training.evaluate --data DIR --rendered DIR weights.onnx [more.onnx]

Evaluates held-out images; `--images training` evaluates training images, for tuning thresholds.
"""

import argparse
from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from .dataset import Example, load_examples
from .decode import DecodeOptions, decode

# The masks' zoom is unknown, so their median nucleus is scaled to 35 µm², as in lab/bench/nuclei-datasets.ts.
MEDIAN_NUCLEUS_PX = 140
CENTER_PX = 6.0
EMPTY_PX = 16.0
OVERLAPS = np.arange(0.5, 0.951, 0.05)


def at_scale(example: Example, um_per_px: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Resampled image (RGB 0 … 1, the network's input format), labels, ignore mask, and centers."""
    if example.um_per_px is None:
        factor = np.sqrt(MEDIAN_NUCLEUS_PX * 4 / np.pi) / example.diameter * 0.5 / um_per_px
    else:
        factor = example.um_per_px / um_per_px
    height, width = (max(16, round(side * factor)) for side in example.labels.shape)
    if example.stain == "fluorescence":
        image = np.repeat(np.clip(1 - example.image, 0, 1)[..., None], 3, 2)
    else:
        image = example.image.astype(np.float32) / 255
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    image = cv2.resize(image, (width, height), interpolation=how)
    labels = cv2.resize(example.labels, (width, height), interpolation=cv2.INTER_NEAREST)
    ignore = cv2.resize(example.ignore, (width, height), interpolation=cv2.INTER_NEAREST) > 0
    return image, labels.astype(np.int64), ignore, (example.centers + 0.5) * factor - 0.5


def degraded(image: np.ndarray, blur_px: float, jpeg_quality: int) -> np.ndarray:
    """Defocuses the image (standard deviation in px) and then compresses it as JPEG; 0 and 0 change nothing."""
    if blur_px > 0:
        image = cv2.GaussianBlur(image, (0, 0), blur_px)
    if jpeg_quality > 0:
        coded = cv2.imencode(".jpg", np.rint(image * 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality])[1]
        image = cv2.imdecode(coded, cv2.IMREAD_COLOR).astype(np.float32) / 255
    return image


def maps_of(session: onnxruntime.InferenceSession, image: np.ndarray) -> np.ndarray:
    height, width = image.shape[:2]
    padded = np.pad(image, ((0, -height % 16), (0, -width % 16), (0, 0)), mode="reflect")
    batch = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32)
    return session.run(None, {"image": batch})[0][0]


def score(
    truth: np.ndarray, found: np.ndarray, ignore: np.ndarray, centers: np.ndarray
) -> np.ndarray:
    """Sums over one image: nuclei, detections, hits at each overlap, center hits, Mpx of empty background, and
    detections there.

    Detections in ignored areas do not count. Empty background is 8 µm from every nucleus and from ignored areas.
    """
    n, m = len(centers) - 1, int(found.max())
    table = np.zeros((n + 1, m + 1), np.int64)
    np.add.at(table, (truth.ravel(), found.ravel()), 1)
    areas, sizes = table.sum(1), table.sum(0)
    present = areas > 0
    present[0] = False
    ignored = np.bincount(found[ignore], minlength=m + 1)
    kept = (sizes > 0) & (ignored < sizes / 2)
    kept[0] = False
    union = areas[:, None] + sizes[None] - table
    iou = (table / np.maximum(union, 1))[present][:, kept]
    # Above an overlap of one half, a nucleus can have only one match.
    hits = [int((iou > max(t, 0.5)).sum()) for t in OVERLAPS]
    center_hits = 0
    if kept.any() and present.any():
        ys, xs = np.nonzero(found)
        number = found[ys, xs]
        middle = np.stack([np.bincount(number, v, m + 1) / np.maximum(sizes, 1) for v in (xs, ys)], 1)[kept]
        true = centers[present]
        apart = np.hypot(*(true[:, None] - middle[None]).transpose(2, 0, 1))
        pairs = np.argwhere(apart <= CENTER_PX)
        order = np.argsort(apart[tuple(pairs.T)])
        rows, columns = set(), set()
        for a, b in pairs[order].tolist():
            if a not in rows and b not in columns:
                rows.add(a)
                columns.add(b)
        center_hits = len(rows)
    occupied = (truth > 0) | ignore
    true = centers[1:].round().astype(int)
    height, width = truth.shape
    for x, y in true[(true >= 0).all(1) & (true < [width, height]).all(1)]:
        occupied[y, x] = True
    empty = cv2.distanceTransform((~occupied).astype(np.uint8), cv2.DIST_L2, 5) > EMPTY_PX
    empty |= ~occupied.any()
    false = (sizes > 0) & (np.bincount(found[empty], minlength=m + 1) > sizes / 2)
    return np.array(
        [present.sum(), kept.sum(), *hits, center_hits, empty.sum() / 1e6, false[1:].sum()], np.float64
    )


def judge(
    session: onnxruntime.InferenceSession,
    examples: list[Example],
    options: DecodeOptions,
    um_per_px: float = 0.5,
    blur_px: float = 0,
    jpeg_quality: int = 0,
) -> dict[str, np.ndarray]:
    """Group → images and the sums of {@link score}."""
    sums: dict[str, np.ndarray] = {}
    for example in examples:
        image, labels, ignore, centers = at_scale(example, um_per_px)
        image = degraded(image, blur_px, jpeg_quality)
        found = decode(maps_of(session, image), options)[: labels.shape[0], : labels.shape[1]]
        row = np.concatenate([[1.0], score(labels, found, ignore, centers)])
        sums[example.group] = sums.get(example.group, 0) + row
    return sums


def table(sums: dict[str, np.ndarray]) -> str:
    lines = [
        "| group | images | nuclei | found | F1@0.5 | precision | recall | mAP | F1 of centers "
        "| empty Mpx | false a Mpx |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for group, (images, n, m, *hits, centers, empty, false) in sorted(sums.items()):
        f1 = 2 * hits[0] / max(n + m, 1)
        mean = np.mean([h / max(n + m - h, 1) for h in hits])
        lines.append(
            f"| {group} | {images:.0f} | {n:.0f} | {m:.0f} | {f1:.3f} | {hits[0] / max(m, 1):.3f} "
            f"| {hits[0] / max(n, 1):.3f} | {mean:.3f} | {2 * centers / max(n + m, 1):.3f} "
            f"| {empty:.2f} | {false / max(empty, 1e-9):.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rendered", type=Path)
    parser.add_argument("--images", choices=["held-out", "training"], default="held-out")
    parser.add_argument("--every", type=int, default=1, help="use only every n-th image")
    parser.add_argument("--um-per-px", type=float, default=0.5, help="scale of the images given to the network")
    parser.add_argument("--blur-px", type=float, default=0, help="blur the images by this many pixels")
    parser.add_argument("--jpeg-quality", type=int, default=0, help="compress the images as JPEG first")
    for option in fields(DecodeOptions):
        parser.add_argument(f"--{option.name.replace('_', '-')}", type=option.type, default=option.default)
    arguments = parser.parse_args()
    options = DecodeOptions(**{f.name: getattr(arguments, f.name) for f in fields(DecodeOptions)})
    wanted = arguments.images == "held-out"
    examples = [e for e in load_examples(arguments.data, arguments.rendered) if e.held_out == wanted]
    setup = onnxruntime.SessionOptions()
    setup.intra_op_num_threads = 1
    for weights in arguments.weights:
        session = onnxruntime.InferenceSession(str(weights), setup, providers=["CPUExecutionProvider"])
        print(f"\n{weights.name}, {arguments.images} images, {arguments.um_per_px} µm a pixel\n", flush=True)
        chosen = examples[:: arguments.every]
        sums = judge(
            session, chosen, options, arguments.um_per_px, arguments.blur_px, arguments.jpeg_quality
        )
        print(table(sums), flush=True)


if __name__ == "__main__":
    main()
