"""Procedurally drawn nucleus masks: streams of spindles, crowds, lymphocytes, large pale nuclei, and mixtures of these.

They have no image but are painted as H&E when a crop is cut (`paint.py`).
"""

import cv2
import numpy as np

from .dataset import Example, describe
from .texture import fractal

SIDE = 512
# Semi-major and semi-minor axes in px of 0.5 µm, irregularity of the outline, and whether aligned in a stream.
KINDS = {
    "spindle": ((8, 17), (1.8, 3.6), 0.06, True),
    "round": ((4.5, 7), (4.5, 7), 0.05, False),
    "lymphocyte": ((3.6, 5), (3.4, 5), 0.03, False),
    "large": ((8, 14), (6, 11), 0.12, False),
    "oval": ((6, 10), (4, 6.5), 0.07, True),
}


def outline(rng: np.random.Generator, kind: str, angle: float) -> np.ndarray:
    """A closed outline around 0, 0: an ellipse, bent and dented."""
    long, short, uneven, _ = KINDS[kind]
    a = rng.uniform(*long)
    b = min(a, rng.uniform(*short))
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    radius = np.ones_like(t)
    for wave in (2, 3, 4, 5):
        radius += rng.normal(0, uneven / np.sqrt(wave)) * np.cos(wave * t + rng.uniform(0, 2 * np.pi))
    x, y = a * radius * np.cos(t), b * radius * np.sin(t)
    y = y + rng.normal(0, 0.15) * x**2 / a
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x - s * y, s * x + c * y], 1)


def drawn_labels(rng: np.random.Generator) -> np.ndarray:
    labels = np.zeros((SIDE, SIDE), np.uint16)
    field = fractal(rng, SIDE, 0.4, 2) * rng.uniform(0.2, 1.2) + rng.uniform(0, np.pi)
    crowd = fractal(rng, SIDE, 0.45, 3)
    names = list(KINDS)
    odds = rng.dirichlet(np.full(len(names), 0.4))
    overlap = rng.uniform(0.02, 0.4)
    number = 0
    for _ in range(int(np.exp(rng.uniform(np.log(150), np.log(1800))))):
        x, y = rng.uniform(0, SIDE, 2)
        if crowd[int(y), int(x)] < rng.normal(-0.3, 0.8):
            continue
        kind = names[rng.choice(len(names), p=odds)]
        aligned = KINDS[kind][3]
        angle = field[int(y), int(x)] + rng.normal(0, 0.2) if aligned else rng.uniform(0, np.pi)
        points = outline(rng, kind, angle) + [x, y]
        left, top = np.maximum(np.floor(points.min(0)).astype(int), 0)
        right, bottom = np.minimum(np.ceil(points.max(0)).astype(int) + 1, SIDE)
        if right - left < 2 or bottom - top < 2:
            continue
        own = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(own, [np.rint((points - [left, top]) * 8).astype(np.int32)], 1, shift=3)
        there = labels[top:bottom, left:right]
        drawn = own > 0
        if drawn.sum() < 12 or (there[drawn] > 0).mean() > overlap:
            continue
        number += 1
        there[drawn] = number
    return labels


def drawn_examples(count: int, seed: int = 7) -> list[Example]:
    examples = []
    for k in range(count):
        labels = drawn_labels(np.random.default_rng([seed, k]))
        examples.append(
            describe(
                Example(
                    name=f"drawn-{k}",
                    group="drawn",
                    stain="he",
                    image=np.full((*labels.shape, 3), 255, np.uint8),
                    labels=labels,
                    centers=np.zeros((0, 2)),
                    ignore=np.zeros(labels.shape, np.uint8),
                    um_per_px=0.5,
                )
            )
        )
    return examples
