"""The labeled images, read from the data folder, rescaled, and described uniformly."""

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from .rendered_tissue import plans
from .split import fields_by_seams, held_out

# Nuclei in the masks vary from 8 to over 100 px; images with a larger median are downscaled once, well filtered.
LARGEST_MEDIAN_DIAMETER = 32.0
MIN_NUCLEUS_PX = 12
FLUORESCENCE_TOP = 1.3


@dataclass
class Example:
    """One image with its nuclei. Pixel centers are at integer coordinates."""

    name: str
    group: str  # same as in lab/bench/nuclei-datasets.ts
    stain: str  # "he", "gray" or "fluorescence"
    image: np.ndarray  # H × W × 3 uint8 RGB; fluorescence: H × W float32, 0 … about 1.3, bright nuclei
    labels: np.ndarray  # H × W uint16, 0 = none
    centers: np.ndarray  # (n + 1) × 2, x and y of nuclei 1 … n; row 0 is unused
    ignore: np.ndarray  # H × W uint8, 255 = unknown
    um_per_px: float | None  # None: unknown, set from the size of the nuclei
    exact_contours: bool = True
    held_out: bool = False
    distance: np.ndarray = field(default=None)  # H × W uint8, 255 = deepest point of its nucleus
    diameter: float = 0.0  # median, px


def load_examples(data: Path, rendered: Path | None) -> list[Example]:
    """Every labeled image in the data folder, plus the rendered tissues if a folder is given."""
    examples = masks(data / "nuclei-masks") + breast(data / "nuclei-he-breast")
    examples += cellbindb(data / "nuclei-he-cellbindb")
    if rendered is not None:
        examples += tissues(rendered)
    return examples


def held_out_names(examples: list[Example]) -> dict[str, list[str]]:
    """Group → names of held-out images in the data folder, never used for training."""
    groups: dict[str, list[str]] = {}
    for example in examples:
        if example.held_out and not example.group.startswith("rendered"):
            groups.setdefault(example.group, []).append(example.name)
    return {group: sorted(names) for group, names in sorted(groups.items())}


def masks(folder: Path) -> list[Example]:
    """The CC0 masks: purple tissue, a few eosin-rich fields (all held out), gray smears, fluorescence."""
    read = []
    for subfolder, stain in (
        ("he_like", "he"),
        ("brightfield_purple_gray", "gray"),
        ("fluo", "fluorescence"),
    ):
        for path in sorted((folder / subfolder / "images").glob("*.png")):
            image = read_rgb(path)
            labels = cv2.imread(str(folder / subfolder / "labels" / path.name), cv2.IMREAD_UNCHANGED)
            read.append((path.stem, stain, image, labels))
    fields = fields_by_seams([image for _, _, image, _ in read])
    strata = {}
    for name, stain, image, labels in read:
        strata[name] = mask_stratum(stain, image, labels)
    chosen = held_out(
        {name: stratum for name, stratum in strata.items() if stratum != "eosin"},
        {name: str(fields[k]) for k, (name, *_) in enumerate(read)},
    )
    groups = {"he": "he-like", "gray": "purple-gray", "fluorescence": "fluorescence"}
    examples = []
    for name, stain, image, labels in read:
        eosin = strata[name] == "eosin"
        if stain == "fluorescence":
            image = normalize_fluorescence(image.max(2))
        example = describe(
            Example(
                name=name,
                group="he-like-eosin" if eosin else groups[stain],
                stain=stain,
                image=image,
                labels=labels,
                centers=np.zeros((0, 2)),
                ignore=np.zeros(labels.shape, np.uint8),
                um_per_px=None,
                held_out=eosin or name in chosen,
            )
        )
        examples.append(example)
    return examples


def mask_stratum(stain: str, image: np.ndarray, labels: np.ndarray) -> str:
    """Groups images similar in stain, background, and zoom."""
    if stain != "he":
        return f"{stain}-{image.shape[0]}x{image.shape[1]}"
    red, green, blue = image.reshape(-1, 3).mean(0)
    if red > blue + 5 and green < 130:
        return "eosin"
    if green > 150 and np.percentile(image[..., 1], 90) > 195:
        return "white"
    return "purple-near" if median_area(labels) > 500 else "purple-far"


def breast(folder: Path) -> list[Example]:
    """Real H&E with hand-placed centers; contours were grown from these and are approximate."""
    if not folder.exists():
        return []
    rows = list(csv.DictReader((folder / "index.csv").open()))
    # Tiles are grouped by case (the patient's number). The stratum is the hospital.
    fields = {row["name"]: row["source"][:12] for row in rows}
    chosen = held_out({row["name"]: row["source"][5:7] for row in rows}, fields)
    examples = []
    for row in rows:
        name = row["name"]
        image = read_rgb(folder / "images" / f"{name}.png")
        labels = cv2.imread(str(folder / "labels" / f"{name}.png"), cv2.IMREAD_UNCHANGED)
        ignore = cv2.imread(str(folder / "ignore" / f"{name}.png"), cv2.IMREAD_GRAYSCALE)
        dots = {}
        for dot in csv.DictReader((folder / "dots" / f"{name}.csv").open()):
            dots[int(dot["label"])] = (float(dot["x"]), float(dot["y"]))
        example = describe(
            Example(
                name=name,
                group="he-breast",
                stain="he",
                image=image,
                labels=labels,
                centers=np.zeros((0, 2)),
                ignore=ignore,
                um_per_px=0.5,
                exact_contours=False,
                held_out=name in chosen,
            ),
            dots,
        )
        examples.append(example)
    return examples


def cellbindb(folder: Path) -> list[Example]:
    """Two tiles of other tissues, for evaluation only."""
    scales = {"stomics_mouse_brain": 0.5, "xenium_human_lung_cancer": 0.27}
    examples = []
    for path in sorted((folder / "images").glob("*.png")):
        labels = cv2.imread(str(folder / "labels" / path.name), cv2.IMREAD_UNCHANGED)
        examples.append(
            describe(
                Example(
                    name=path.stem,
                    group="he-cellbindb",
                    stain="he",
                    image=read_rgb(path),
                    labels=labels,
                    centers=np.zeros((0, 2)),
                    ignore=np.zeros(labels.shape, np.uint8),
                    um_per_px=scales[path.stem],
                    held_out=True,
                )
            )
        )
    return examples


def tissues(folder: Path) -> list[Example]:
    """Rendered tissues; where nuclei overlap, the later one is visible."""
    examples = []
    for plan in plans():
        path = folder / plan["name"]
        fluorescence = plan["options"]["staining"] == "if"
        offsets = np.load(path / "truth" / "nuclei.offsets.npy").astype(np.int64)
        xy = np.load(path / "truth" / "nuclei.xy.npy").reshape(-1, 2)
        image = read_rgb(path / "image.tif")
        labels = filled_outlines(xy, offsets, image.shape[:2])
        nuclear = normalize_fluorescence(nuclear_channel(path)) if fluorescence else image
        examples.append(
            describe(
                Example(
                    name=plan["name"],
                    group="rendered-if" if fluorescence else "rendered-he",
                    stain="fluorescence" if fluorescence else "he",
                    image=nuclear,
                    labels=labels,
                    centers=np.zeros((0, 2)),
                    ignore=np.zeros(labels.shape, np.uint8),
                    um_per_px=plan["options"]["umPerPx"],
                    held_out=plan["held_out"],
                )
            )
        )
    return examples


def filled_outlines(xy: np.ndarray, offsets: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Label k + 1 where a pixel's center lies in outline k. The origin of outlines is the first pixel's corner."""
    # The fill also paints pixels touched by the line; on a grid three times as fine that is a sixth of a pixel.
    fine = np.zeros((3 * shape[0], 3 * shape[1]), np.uint16)
    for ring in range(len(offsets) - 1):
        points = (3 * xy[offsets[ring] : offsets[ring + 1]] - 0.5) * 16
        cv2.fillPoly(fine, [np.rint(points).astype(np.int32)], ring + 1, shift=4)
    return np.ascontiguousarray(fine[1::3, 1::3])


def nuclear_channel(tissue: Path) -> np.ndarray:
    """The DAPI plane, the first page of a rendered tissue."""
    return cv2.imreadmulti(str(tissue / "image.tif"), flags=cv2.IMREAD_UNCHANGED)[1][0]


def describe(example: Example, dots: dict[int, tuple[float, float]] | None = None) -> Example:
    """Numbers the nuclei 1 … n, downscales if they are too large, and derives centers, distances, and diameter."""
    values, numbered = np.unique(example.labels, return_inverse=True)
    labels = numbered.reshape(example.labels.shape) + (0 if values[0] == 0 else 1)
    originals = values[values > 0]
    areas = np.bincount(labels.ravel(), minlength=len(originals) + 1)
    labels[np.isin(labels, np.flatnonzero(areas < MIN_NUCLEUS_PX))] = 0
    areas = np.bincount(labels.ravel(), minlength=len(originals) + 1)
    present = areas[1:][areas[1:] > 0]
    diameter = float(np.sqrt(np.median(present) * 4 / np.pi)) if len(present) else 16.0
    ys, xs = np.nonzero(labels)
    sums = [np.bincount(labels[ys, xs], v, len(areas)) / np.maximum(areas, 1) for v in (xs, ys)]
    centers = np.stack(sums, 1)
    for number, original in enumerate(originals, 1):
        if dots and int(original) in dots:
            centers[number] = dots[int(original)]
    example.image, example.labels = shrink(example.image, labels.astype(np.uint16), diameter)
    factor = example.labels.shape[0] / labels.shape[0]
    if factor != 1:
        height, width = example.labels.shape
        example.ignore = cv2.resize(example.ignore, (width, height), interpolation=cv2.INTER_NEAREST)
        centers = (centers + 0.5) * factor - 0.5
    example.centers = centers.astype(np.float32)
    example.diameter = diameter * factor
    example.distance = normalized_distance(example.labels)
    return example


def shrink(image: np.ndarray, labels: np.ndarray, diameter: float) -> tuple[np.ndarray, np.ndarray]:
    factor = LARGEST_MEDIAN_DIAMETER / diameter
    if factor >= 0.95:
        return image, labels
    size = (round(labels.shape[1] * factor), round(labels.shape[0] * factor))
    return (
        cv2.resize(image, size, interpolation=cv2.INTER_AREA),
        cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST),
    )


def normalized_distance(labels: np.ndarray) -> np.ndarray:
    """Distance to the nucleus's edge divided by its maximum, 0 … 255. The image border does not count as an edge."""
    inside = labels > 0
    for axis in (0, 1):
        a = [slice(None), slice(None)]
        b = [slice(None), slice(None)]
        a[axis], b[axis] = slice(1, None), slice(None, -1)
        differ = labels[tuple(a)] != labels[tuple(b)]
        # Clearing one side of a touching pair is enough: distances are to the gap between the two.
        inside[tuple(a)] &= ~(differ & (labels[tuple(b)] > 0))
    padded = cv2.copyMakeBorder(inside.astype(np.uint8), 8, 8, 8, 8, cv2.BORDER_REPLICATE)
    distance = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[8:-8, 8:-8]
    deepest = np.zeros(int(labels.max()) + 1, np.float32)
    np.maximum.at(deepest, labels.ravel(), distance.ravel())
    relative = distance / np.maximum(deepest[labels], 1e-3)
    return np.rint(255 * np.where(labels > 0, relative, 0)).astype(np.uint8)


def normalize_fluorescence(channel: np.ndarray) -> np.ndarray:
    """Scales the image to 0 at its 1st and 1 at its 99.8th percentile; clipped at 1.3."""
    low, high = (float(value) for value in np.percentile(channel, (1, 99.8)))
    return np.clip((channel.astype(np.float32) - low) / max(high - low, 8.0), 0, FLUORESCENCE_TOP)


def median_area(labels: np.ndarray) -> float:
    areas = np.bincount(labels.ravel())[1:]
    areas = areas[areas > 0]
    return float(np.median(areas)) if len(areas) else 0.0


def read_rgb(path: Path) -> np.ndarray:
    return cv2.cvtColor(cv2.imread(str(path), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)


def write_held_out(examples: list[Example], path: Path) -> None:
    path.write_text(json.dumps(held_out_names(examples), indent=2) + "\n")
