"""Painted tissue without nuclei: eosin grain, fibres, cell borders, fat, red cells, out-of-focus haze.

Textures are made once and cut at random afterwards, because making one costs more than a whole training crop.
"""

import cv2
import numpy as np

BANK_SIDE = 512


def fractal(rng: np.random.Generator, side: int, persistence: float, coarsest: int = 3) -> np.ndarray:
    """Noise with detail at every scale, mean 0 and standard deviation 1. `persistence` < 1 is smooth."""
    total = np.zeros((side, side), np.float32)
    amplitude, grid = 1.0, coarsest
    while grid < side:
        noise = rng.standard_normal((grid, grid)).astype(np.float32)
        total += amplitude * cv2.resize(noise, (side, side), interpolation=cv2.INTER_CUBIC)
        amplitude *= persistence
        grid *= 2
    return (total - total.mean()) / total.std()


def fibres(rng: np.random.Generator, side: int) -> np.ndarray:
    """Wavy strands in one main direction, mean 0 and standard deviation 1."""
    noise = rng.standard_normal((side // 2, side // 8)).astype(np.float32)
    fine = cv2.GaussianBlur(noise, (0, 0), sigmaX=2.0, sigmaY=rng.uniform(0.6, 1.4))
    strands = cv2.resize(fine, (side, side), interpolation=cv2.INTER_CUBIC)
    bend = rng.uniform(8, 40)
    ys, xs = np.mgrid[:side, :side].astype(np.float32)
    dx, dy = fractal(rng, side, 0.4), fractal(rng, side, 0.35)
    warped = cv2.remap(strands, xs + bend * dx, ys + bend * dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return (warped - warped.mean()) / max(float(warped.std()), 1e-6)


def cell_borders(rng: np.random.Generator, side: int) -> np.ndarray:
    """Lines between neighbouring cells, 0 … 1: pixels almost equally near to two random points."""
    spacing = rng.uniform(16, 40)
    points = np.ones((side, side), np.uint8)
    count = int((side / spacing) ** 2)
    points[rng.integers(side, size=count), rng.integers(side, size=count)] = 0
    distance = cv2.distanceTransform(points, cv2.DIST_L2, 5)
    smooth = cv2.GaussianBlur(distance, (0, 0), 1.0)
    ridge = np.clip(-cv2.Laplacian(smooth, cv2.CV_32F, ksize=3), 0, None)
    ridge = cv2.GaussianBlur(ridge, (0, 0), rng.uniform(0.6, 1.6))
    return np.clip(ridge / max(float(np.percentile(ridge, 97)), 1e-6), 0, 1.2)


def holes(rng: np.random.Generator, side: int) -> np.ndarray:
    """Lumens, cracks and fat cells: 1 where there is no tissue."""
    if rng.random() < 0.5:
        level = rng.uniform(0.9, 1.9)
        return cv2.GaussianBlur((fractal(rng, side, 0.45, 4) > level).astype(np.float32), (0, 0), 1.2)
    canvas = np.zeros((side, side), np.float32)
    radius = rng.uniform(8, 40)
    for _ in range(int(rng.uniform(0.2, 0.8) * side * side / (np.pi * radius**2))):
        centre = rng.integers(side, size=2).tolist()
        axes = (np.maximum(2, radius * rng.uniform(0.5, 1.2, 2))).astype(int).tolist()
        cv2.ellipse(canvas, centre, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    return cv2.GaussianBlur(canvas, (0, 0), 1.0)


def red_cells(rng: np.random.Generator, side: int) -> np.ndarray:
    """Erythrocytes, single or in heaps: 0 … 1, paler in the middle."""
    canvas = np.zeros((side, side), np.float32)
    radius = rng.uniform(4.5, 9)
    crowd = fractal(rng, side, 0.4) + rng.normal(0, 0.3)
    for _ in range(int(0.9 * side * side / (np.pi * radius**2))):
        x, y = rng.integers(side, size=2).tolist()
        if crowd[y, x] < 0.9:
            continue
        axes = np.maximum(2, radius * rng.uniform(0.75, 1.1, 2)).astype(int).tolist()
        strength = float(rng.uniform(0.6, 1.0))
        angle = rng.uniform(0, 180)
        cv2.ellipse(canvas, (x, y), axes, angle, 0, 360, strength, -1)
        if rng.random() < 0.5:
            inner = [max(1, a // 2) for a in axes]
            cv2.ellipse(canvas, (x, y), inner, angle, 0, 360, 0.7 * strength, -1)
    return cv2.GaussianBlur(canvas, (0, 0), 0.8)


class TextureBank:
    """Ready textures of every kind, as 8 bit to stay small in memory; cut out by {@link TextureBank.cut}."""

    def __init__(self, seed: int, copies: int = 12) -> None:
        rng = np.random.default_rng(seed)
        side = BANK_SIDE
        self.kinds = {
            "smooth": [fractal(rng, side, rng.uniform(0.35, 0.6)) for _ in range(copies)],
            "rough": [fractal(rng, side, rng.uniform(0.65, 0.95)) for _ in range(copies)],
            "fibres": [fibres(rng, side) for _ in range(copies)],
            "borders": [cell_borders(rng, side) for _ in range(copies)],
            "holes": [holes(rng, side) for _ in range(copies)],
            "red": [red_cells(rng, side) for _ in range(copies)],
        }

    def cut(self, kind: str, rng: np.random.Generator, side: int) -> np.ndarray:
        """A random piece, turned and zoomed at random. float32, side × side."""
        texture = self.kinds[kind][rng.integers(len(self.kinds[kind]))]
        zoom = np.exp(rng.uniform(-0.5, 0.5))
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / zoom
        centre = rng.uniform(0, BANK_SIDE, 2)
        matrix = np.hstack([turn, (centre - turn @ [side / 2, side / 2])[:, None]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(texture, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REFLECT_101)


def eosin_scene(bank: TextureBank, rng: np.random.Generator, side: int) -> tuple[np.ndarray, ...]:
    """Optical densities of painted tissue without nuclei: eosin, haematoxylin haze, red cells. Each side × side."""
    eosin = rng.uniform(0.0, 0.55) + rng.uniform(0.02, 0.15) * bank.cut("smooth", rng, side)
    if rng.random() < 0.7:
        eosin += rng.uniform(0.01, 0.08) * bank.cut("rough", rng, side)
    if rng.random() < 0.5:
        eosin += rng.uniform(0.03, 0.22) * bank.cut("fibres", rng, side)
    if rng.random() < 0.3:
        eosin += rng.uniform(-0.25, 0.3) * bank.cut("borders", rng, side)
    haze = np.zeros((side, side), np.float32)
    if rng.random() < 0.5:
        haze = rng.uniform(0, 0.25) + rng.uniform(0, 0.08) * bank.cut("smooth", rng, side)
        if rng.random() < 0.4:
            haze += rng.uniform(0, 0.06) * bank.cut("rough", rng, side)
    red = np.zeros((side, side), np.float32)
    if rng.random() < 0.25:
        red = rng.uniform(0.4, 1.2) * bank.cut("red", rng, side)
    if rng.random() < 0.4:
        tissue = 1 - np.clip(bank.cut("holes", rng, side), 0, 1)
        eosin, haze = eosin * tissue, haze * tissue
    if rng.random() < 0.06:
        # A fold: tissue lies twice.
        band = 1 + rng.uniform(0.4, 1.0) * (np.abs(bank.cut("smooth", rng, side)) < 0.25)
        band = cv2.GaussianBlur(band.astype(np.float32), (0, 0), 3)
        eosin, haze = eosin * band, haze * band
    return np.clip(eosin, 0, None), np.clip(haze, 0, None), red
