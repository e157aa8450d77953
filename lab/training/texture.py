"""Painted tissue without nuclei: eosin grain, fibers, cell borders, fat, red cells, debris.

Textures are made once and then cropped at random, because making one costs more than a whole training crop.
"""

from concurrent.futures import ProcessPoolExecutor

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


def fibers(rng: np.random.Generator, side: int) -> np.ndarray:
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
    """Lines between neighboring cells, 0 … 1: pixels almost equidistant from two random points."""
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
    """Lumens, cracks, and fat cells: 1 where there is no tissue."""
    if rng.random() < 0.5:
        level = rng.uniform(0.9, 1.9)
        return cv2.GaussianBlur((fractal(rng, side, 0.45, 4) > level).astype(np.float32), (0, 0), 1.2)
    canvas = np.zeros((side, side), np.float32)
    radius = rng.uniform(8, 40)
    for _ in range(int(rng.uniform(0.2, 0.8) * side * side / (np.pi * radius**2))):
        center = rng.integers(side, size=2).tolist()
        axes = (np.maximum(2, radius * rng.uniform(0.5, 1.2, 2))).astype(int).tolist()
        cv2.ellipse(canvas, center, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    return cv2.GaussianBlur(canvas, (0, 0), 1.0)


def red_cells(rng: np.random.Generator, side: int) -> np.ndarray:
    """Erythrocytes, single or clumped: 0 … 1, paler in the center."""
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


def debris(rng: np.random.Generator, side: int) -> np.ndarray:
    """Dust and debris with ragged outlines, single or in clusters: 0 … 1."""
    canvas = np.zeros((side, side), np.float32)
    largest = rng.uniform(3, 16)
    for _ in range(int(rng.uniform(10, 90))):
        x, y = rng.integers(side, size=2)
        corners = int(rng.integers(5, 14))
        around = np.sort(rng.uniform(0, 2 * np.pi, corners))
        radius = rng.uniform(1, largest) * rng.uniform(0.3, 1, corners)
        stretch = rng.uniform(0.4, 1)
        points = np.stack([x + radius * np.cos(around), y + stretch * radius * np.sin(around)], 1)
        cv2.fillPoly(canvas, [np.rint(points * 8).astype(np.int32)], float(rng.uniform(0.4, 1)), cv2.LINE_AA, 3)
    return cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.4, 1.2))


KINDS = {
    "smooth": lambda rng, side: fractal(rng, side, rng.uniform(0.35, 0.6)),
    "rough": lambda rng, side: fractal(rng, side, rng.uniform(0.65, 0.95)),
    "fibers": fibers,
    "borders": cell_borders,
    "holes": holes,
    "red": red_cells,
    "debris": debris,
}


def texture(kind: str, seed: int) -> np.ndarray:
    return KINDS[kind](np.random.default_rng([seed, *kind.encode()]), BANK_SIDE).astype(np.float16)


def texture_bank(copies: int, workers: int = 1) -> dict[str, np.ndarray]:
    """Kind → copies × 512 × 512."""
    wanted = [(kind, seed) for kind in KINDS for seed in range(copies)]
    if workers > 1:
        with ProcessPoolExecutor(workers) as pool:
            made = list(pool.map(texture, *zip(*wanted)))
    else:
        made = [texture(kind, seed) for kind, seed in wanted]
    return {kind: np.stack(made[k * copies : (k + 1) * copies]) for k, kind in enumerate(KINDS)}
