"""Decodes the network's maps into nuclei in plain Python, for evaluation rather than speed.

Votes and seeds are the same as in the pipeline; pixels are then assigned by flooding from the seeds, whereas the
pipeline assigns each to the seed nearest to its vote. On training images the two differ by less than 0.01 in F1,
except on crowded purple ones.
"""

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class DecodeOptions:
    threshold: float = 0.5
    vote_blur: float = 1.5  # half-resolution px
    votes: float = 6.0
    reach: int = 3  # a seed is the maximum within a window of 2 · reach + 1
    min_area: int = 20  # full-resolution px
    min_probability: float = 0.7  # mean over the nucleus


def decode(maps: np.ndarray, options: DecodeOptions = DecodeOptions()) -> np.ndarray:
    """maps 4 × h × w → labels 2h × 2w int32, 0 = none. O(pixels)."""
    probability, distance, dx, dy = maps
    height, width = probability.shape
    inside = probability > options.threshold
    seeds = voted_seeds(probability, dx, dy, inside, options)
    labels = flood(seeds, cv2.GaussianBlur(distance, (0, 0), 0.7), inside)

    size = (2 * width, 2 * height)
    full = cv2.resize(probability, size, interpolation=cv2.INTER_LINEAR)
    mask = full > options.threshold
    large = cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST)
    # The finer edge may extend a pixel beyond the coarse one; there the neighbor's label applies.
    widened = cv2.dilate(large.astype(np.float32), np.ones((3, 3), np.uint8)).astype(np.int32)
    large = np.where(large == 0, widened, large) * mask
    areas = np.bincount(large.ravel())
    means = np.bincount(large.ravel(), full.ravel()) / np.maximum(areas, 1)
    keep = (areas >= options.min_area) & (means >= options.min_probability)
    keep[0] = False
    numbers = np.where(keep, np.cumsum(keep), 0)
    return numbers[large].astype(np.int32)


def voted_seeds(
    probability: np.ndarray, dx: np.ndarray, dy: np.ndarray, inside: np.ndarray, options: DecodeOptions
) -> np.ndarray:
    """Every pixel votes for its center; seeds are the local maxima of the blurred votes."""
    height, width = probability.shape
    ys, xs = np.nonzero(inside)
    to_x = np.clip(np.rint(xs + dx[ys, xs]), 0, width - 1).astype(int)
    to_y = np.clip(np.rint(ys + dy[ys, xs]), 0, height - 1).astype(int)
    votes = np.zeros((height, width), np.float32)
    np.add.at(votes, (to_y, to_x), probability[ys, xs])
    votes = cv2.GaussianBlur(votes, (0, 0), options.vote_blur)
    window = np.ones((2 * options.reach + 1,) * 2, np.uint8)
    enough = options.votes / (2 * np.pi * options.vote_blur**2)
    peak = (votes >= cv2.dilate(votes, window)) & (votes > enough) & inside
    seeds = np.zeros((height, width), np.int32)
    taken = np.zeros((height, width), bool)
    number = 0
    for y, x in np.argwhere(peak):
        area = (slice(max(0, y - options.reach), y + options.reach + 1),
                slice(max(0, x - options.reach), x + options.reach + 1))
        if taken[area].any():
            continue  # keep the first of tied maxima
        number += 1
        taken[y, x] = True
        seeds[y, x] = number
    return seeds


def flood(seeds: np.ndarray, distance: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Grows the seeds over the mask, deepest pixels first."""
    height, width = seeds.shape
    stride = width + 2
    labels = np.zeros((height + 2, stride), np.int32)
    labels[1:-1, 1:-1] = seeds
    open_ = np.zeros((height + 2, stride), bool)
    open_[1:-1, 1:-1] = inside
    levels = np.zeros((height + 2, stride), np.int32)
    levels[1:-1, 1:-1] = np.clip(distance * 220, 0, 255)
    label, free, level = labels.ravel().tolist(), open_.ravel().tolist(), levels.ravel().tolist()
    buckets: list[list[int]] = [[] for _ in range(256)]
    for start in np.flatnonzero(labels.ravel()).tolist():
        buckets[level[start]].append(start)
    for current in range(255, -1, -1):
        queue = buckets[current]
        for here in queue:
            own = label[here]
            for near in (here - 1, here + 1, here - stride, here + stride):
                if free[near] and label[near] == 0:
                    label[near] = own
                    buckets[min(level[near], current)].append(near)
    return np.array(label, np.int32).reshape(labels.shape)[1:-1, 1:-1]
