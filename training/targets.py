"""What the network shall answer, at half the resolution of its input."""

import numpy as np

OFFSET_UNIT = 8.0  # half-resolution px
TARGET_PLANES = 6  # nucleus, distance, dx, dy, weight of nucleus, weight of distance and offset


def half_resolution_targets(
    labels: np.ndarray,
    distance: np.ndarray,
    ignored: np.ndarray,
    centres: np.ndarray,
    exact_contours: bool,
) -> np.ndarray:
    """Targets and their weights, 6 × h × w float32.

    labels h × w; distance 0 … 1; ignored h × w bool; centres (n + 1) × 2, half-resolution px, row 0 unused.
    """
    height, width = labels.shape
    inside = labels > 0
    rim = np.zeros((height, width), bool)  # next to another label, on either side
    between = np.zeros((height, width), bool)  # next to another nucleus
    for axis in (0, 1):
        a = (slice(1, None), slice(None)) if axis == 0 else (slice(None), slice(1, None))
        b = (slice(None, -1), slice(None)) if axis == 0 else (slice(None), slice(None, -1))
        differ = labels[a] != labels[b]
        both = differ & inside[a] & inside[b]
        rim[a] |= differ
        rim[b] |= differ
        between[a] |= both
        between[b] |= both

    ys, xs = np.mgrid[:height, :width].astype(np.float32)
    own = centres[labels] if len(centres) else np.zeros((height, width, 2), np.float32)
    dx = np.where(inside, (own[..., 0] - xs) / OFFSET_UNIT, 0)
    dy = np.where(inside, (own[..., 1] - ys) / OFFSET_UNIT, 0)

    areas = np.bincount(labels.ravel(), minlength=len(centres) + 1)
    # A small nucleus counts as one nucleus too: pixels of nuclei below 40 half-resolution px weigh more.
    small = np.clip(np.sqrt(40.0 / np.maximum(areas, 4)), 1, 2)[labels]
    weight = np.where(inside, small, 1.0)
    if exact_contours:
        weight = weight + 1.0 * rim + 1.0 * between
        shape_weight = np.ones((height, width), np.float32)
    else:
        # Grown contours: their rim may lie a pixel or two off, their middle does not.
        weight = np.where(rim, 0.25, weight)
        shape_weight = np.full((height, width), 0.6, np.float32)
    known = ~ignored
    planes = (inside, distance * inside, dx, dy, weight * known, shape_weight * known)
    return np.stack(planes).astype(np.float32)
