"""Training crops: where an image is cut, and how its colors, sharpness, and background are augmented."""

import cv2
import numpy as np

from .dataset import Example
from .targets import half_resolution_targets
from .texture import TextureBank, eosin_scene

CROP = 160
NEGATIVE_HE, NEGATIVE_FLUORESCENCE = "negative-he", "negative-fluorescence"

# Ruifrok & Johnston 2001, rows hematoxylin, eosin, and a third orthogonal to neither.
STAINS = np.array([[0.650, 0.704, 0.286], [0.072, 0.990, 0.105], [0.268, 0.570, 0.776]], np.float32)
STAINS /= np.linalg.norm(STAINS, axis=1, keepdims=True)
UNMIX = np.linalg.inv(STAINS)
RED_CELL = np.array([0.12, 0.75, 0.65], np.float32)


def crop(
    example: Example, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A rotated, mirrored, zoomed crop: the image, and at half its size labels, distance, and ignore mask, with the
    centers in half-size px. Everything outside the example's image is ignored.
    """
    height, width = example.labels.shape
    if example.um_per_px is None:
        # Unknown scale: the median nucleus is scaled to 9 … 26 px in diameter.
        zoom = np.exp(rng.uniform(np.log(9.0), np.log(26.0))) / example.diameter
    else:
        # 0.34 … 0.75 µm/px, around the network's target of 0.5.
        zoom = example.um_per_px / 0.5 * np.exp(rng.uniform(np.log(0.65), np.log(1.5)))
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2
    stretch = np.exp(rng.uniform(-0.1, 0.1))
    mirror = 1 if rng.random() < 0.5 else -1
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = turn @ np.diag([mirror * stretch / zoom, 1 / (stretch * zoom)])
    half_side = CROP / 2 / zoom
    if len(example.centers) > 1 and rng.random() < 0.7:
        x, y = example.centers[rng.integers(1, len(example.centers))] + rng.uniform(-0.6, 0.6, 2) * half_side
    else:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
    x = np.clip(x, min(half_side, width / 2), max(width - half_side, width / 2))
    y = np.clip(y, min(half_side, height / 2), max(height - half_side, height / 2))
    middle = np.array([x, y])
    full = np.hstack([matrix, (middle - matrix @ np.full(2, (CROP - 1) / 2))[:, None]])
    # Half-size pixel k covers the full-size pixels 2k and 2k + 1.
    half = np.hstack([2 * matrix, (middle + matrix @ np.full(2, 0.5 - (CROP - 1) / 2))[:, None]])

    def cut(source: np.ndarray, to: np.ndarray, side: int, how: int, **border: int) -> np.ndarray:
        return cv2.warpAffine(source, to, (side, side), flags=how | cv2.WARP_INVERSE_MAP, **border)

    reflect = {"borderMode": cv2.BORDER_REFLECT_101}
    image = cut(example.image, full, CROP, cv2.INTER_LINEAR, **reflect)
    labels = cut(example.labels, half, CROP // 2, cv2.INTER_NEAREST)
    distance = cut(example.distance, half, CROP // 2, cv2.INTER_LINEAR) / np.float32(255)
    ignored = cut(example.ignore, half, CROP // 2, cv2.INTER_NEAREST, borderValue=255) > 0
    inverse = np.linalg.inv(matrix)
    centers = ((example.centers - middle) @ inverse.T + (CROP - 1) / 2 - 0.5) / 2
    return image, labels, distance, ignored, centers.astype(np.float32)


def sample(
    example: Example | str, look: str, bank: TextureBank, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """One training pair: image 3 × 160 × 160 (RGB 0 … 1) and targets 6 × 80 × 80.

    look: "own" keeps the image's stain; "he" paints a fluorescence image as H&E; "repaint" paints the masks alone.
    """
    if isinstance(example, str):
        labels = np.zeros((CROP // 2, CROP // 2), np.uint16)
        distance = np.zeros(labels.shape, np.float32)
        ignored, centers, exact = np.zeros(labels.shape, bool), np.zeros((1, 2), np.float32), True
        if example == NEGATIVE_HE:
            rgb = mix(np.zeros((CROP, CROP), np.float32), bank, rng)
        else:
            rgb = inverted(fluorescence_haze(np.zeros((CROP, CROP), np.float32), bank, rng, 1.0))
    else:
        image, labels, distance, ignored, centers = crop(example, rng)
        exact = example.exact_contours
        if look == "repaint":
            rgb = mix(painted_nuclei(labels, distance, bank, rng), bank, rng)
        elif example.stain == "fluorescence":
            signal = image * np.exp(rng.uniform(-0.35, 0.35))
            signal = np.clip(signal, 0, 1.3) ** np.float32(np.exp(rng.uniform(-0.6, 0.45)))
            if look == "he":
                rgb = mix(signal * rng.uniform(0.4, 1.3), bank, rng)
            else:
                rgb = inverted(fluorescence_haze(signal, bank, rng, 0.35))
        else:
            rgb = brightfield(image, example, bank, rng)
    rgb = optics(rgb.astype(np.float32), rng)
    targets = half_resolution_targets(labels, distance, ignored, centers, exact)
    return np.ascontiguousarray(rgb.transpose(2, 0, 1), dtype=np.float32), targets


def random_stains(rng: np.random.Generator, spread: float) -> np.ndarray:
    stains = np.clip(STAINS + rng.normal(0, spread, STAINS.shape).astype(np.float32), 0.01, None)
    return stains / np.linalg.norm(stains, axis=1, keepdims=True)


def mix(hematoxylin: np.ndarray, bank: TextureBank, rng: np.random.Generator) -> np.ndarray:
    """Nuclei of a given optical density in a painted scene, as RGB."""
    side = hematoxylin.shape[0]
    eosin, haze, red = eosin_scene(bank, rng, side)
    cover = np.exp(-rng.uniform(0.5, 2.5) * np.clip(hematoxylin, 0, None))
    nuclei = hematoxylin * np.clip(1 + rng.uniform(0, 0.25) * bank.cut("rough", rng, side), 0.2, 2)
    stains = random_stains(rng, 0.09)
    density = np.clip(nuclei + haze * cover, 0, None)[..., None] * stains[0]
    density += (eosin * cover)[..., None] * stains[1] + (red * cover)[..., None] * RED_CELL
    if rng.random() < 0.2:
        # Vary section thickness.
        density *= np.float32(rng.uniform(0.6, 1.6))
    return np.exp(-density) * np.float32(rng.uniform(0.86, 1.02))


def painted_nuclei(
    labels: np.ndarray, distance: np.ndarray, bank: TextureBank, rng: np.random.Generator
) -> np.ndarray:
    """Optical density of nuclei drawn from their masks alone, each with its own strength, edge, and chromatin."""
    level = rng.uniform(0.35, 1.1)
    strengths = level * np.exp(rng.normal(0, rng.uniform(0.05, 0.4), int(labels.max()) + 1))
    strengths[0] = 0
    # Vesicular nuclei are pale in the center, lymphocytes are not.
    pale = rng.uniform(-0.1, 0.75)
    own = strengths.astype(np.float32)[labels] * (1 - pale * np.clip(distance * 1.6, 0, 1))
    half = own.shape[0]
    own = own * np.clip(1 + rng.uniform(0.1, 0.5) * bank.cut("rough", rng, half), 0.15, 2.2)
    side = 2 * half
    big = cv2.resize(own, (side, side), interpolation=cv2.INTER_LINEAR)
    return cv2.GaussianBlur(big, (0, 0), rng.uniform(0.5, 1.1))


def fluorescence_haze(
    signal: np.ndarray, bank: TextureBank, rng: np.random.Generator, chance: float
) -> np.ndarray:
    """Adds autofluorescence, fibers, and out-of-focus nuclei to a nuclear channel."""
    side = signal.shape[0]
    if rng.random() < max(chance, 0.35):
        signal = signal + np.clip(rng.uniform(0, 0.25) + rng.uniform(0, 0.1) * bank.cut("smooth", rng, side), 0, None)
    if rng.random() < 0.5 * chance:
        signal = signal + rng.uniform(0.02, 0.2) * np.clip(bank.cut("fibers", rng, side), 0, None)
    if rng.random() < 0.5 * chance:
        signal = signal + rng.uniform(0.01, 0.12) * np.clip(bank.cut("rough", rng, side), 0, None)
    if rng.random() < 0.25:
        # Nuclei at another depth shine through.
        moved = np.roll(signal, tuple(rng.integers(side, size=2)), (0, 1))
        signal = signal + rng.uniform(0.1, 0.5) * cv2.GaussianBlur(moved, (0, 0), rng.uniform(4, 9))
    return signal


def inverted(signal: np.ndarray) -> np.ndarray:
    """The network sees fluorescence as dark nuclei on white, in three equal channels."""
    return np.repeat(np.clip(1 - signal, 0, 1)[..., None], 3, 2)


def brightfield(
    image: np.ndarray, example: Example, bank: TextureBank, rng: np.random.Generator
) -> np.ndarray:
    """A real or rendered brightfield crop with a different stain, strength, and background."""
    density = -np.log(np.clip(image.astype(np.float32) / 255, 0.02, 1))
    if example.stain == "he":
        if rng.random() < 0.75:
            amounts = density.reshape(-1, 3) @ UNMIX
            amounts *= np.exp(rng.normal(0, [0.25, 0.35, 0.25])).astype(np.float32)
            amounts += rng.normal(0, [0.03, 0.05, 0.02]).astype(np.float32)
            density = (amounts @ random_stains(rng, 0.07)).reshape(density.shape)
        if example.group == "he-like" and rng.random() < 0.45:
            # The purple masks have a plain background: put painted eosin under their nuclei.
            ground = np.percentile(density[::4, ::4].reshape(-1, 3), 20, axis=0)
            density = density - (ground * rng.uniform(0.4, 1.0)).astype(np.float32)
            eosin, haze, red = eosin_scene(bank, rng, density.shape[0])
            stains = random_stains(rng, 0.08)
            cover = np.exp(-1.5 * np.clip(density.mean(2), 0, None))[..., None]
            under = eosin[..., None] * stains[1] + haze[..., None] * stains[0] + red[..., None] * RED_CELL
            density = density + cover * under
    elif rng.random() < 0.3:
        density = density.mean(2, keepdims=True) * rng.uniform(0.8, 1.8) * random_stains(rng, 0.08)[0]
    rgb = np.exp(-np.clip(density, -0.1, 5))
    if rng.random() < 0.08:
        weights = np.array([0.3, 0.59, 0.11]) if rng.random() < 0.5 else rng.dirichlet(np.ones(3))
        rgb = np.repeat((rgb @ weights.astype(np.float32))[..., None], 3, 2)
    return rgb


def optics(rgb: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Effects of a microscope, a camera, and a file format. RGB 0 … 1."""
    if rng.random() < 0.5:
        gain = rng.uniform(0.88, 1.12, 3 if rng.random() < 0.6 else 1).astype(np.float32)
        rgb = rgb * gain + np.float32(rng.uniform(-0.06, 0.06))
    if rng.random() < 0.25:
        rgb = np.clip(rgb, 0, 2) ** np.float32(np.exp(rng.uniform(-0.35, 0.35)))
    kind = rng.random()
    if kind < 0.3:
        rgb = cv2.GaussianBlur(rgb, (0, 0), rng.uniform(0.4, 1.9))
    elif kind < 0.4:
        rgb = rgb + rng.uniform(0.2, 1.2) * (rgb - cv2.GaussianBlur(rgb, (0, 0), 1.5))
    elif kind < 0.5:
        # Simulate a coarser scan that has been upsampled.
        side = rgb.shape[0]
        small = cv2.resize(rgb, (int(side * rng.uniform(0.45, 0.8)),) * 2, interpolation=cv2.INTER_AREA)
        rgb = cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        shape = rgb.shape if rng.random() < 0.5 else (*rgb.shape[:2], 1)
        rgb = rgb + rng.uniform(0.008, 0.05) * rng.standard_normal(shape, dtype=np.float32)
    rgb = np.clip(rgb, 0, 1)
    if rng.random() < 0.2:
        bytes_ = np.rint(rgb * 255).astype(np.uint8)
        coded = cv2.imencode(".jpg", bytes_, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 92))])[1]
        rgb = cv2.imdecode(coded, cv2.IMREAD_COLOR).astype(np.float32) / 255
    return rgb
