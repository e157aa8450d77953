"""The network's targets, at half the resolution of its input."""

import torch
from torch import Tensor

from .atlas import Crops

OFFSET_UNIT = 8.0  # half-resolution px
TARGET_PLANES = 6  # nucleus, distance, dx, dy, weight of nucleus, weight of distance and offset


def half_resolution_targets(crops: Crops, exact: Tensor, covered: Tensor) -> Tensor:
    """Targets and their weights, n × 6 × h × w.

    exact: n, 1 if contours were drawn, 0 if they were grown from centers; covered: n × h × w, 1 where the tissue is
    hidden in the image.
    """
    labels = crops.half_labels
    inside = (labels > 0).float()
    rim = torch.zeros_like(inside)  # adjacent to another label, on either side
    between = torch.zeros_like(inside)  # adjacent to another nucleus
    for axis in (1, 2):
        size = labels.shape[axis] - 1
        first, second = labels.narrow(axis, 0, size), labels.narrow(axis, 1, size)
        differ = (first != second).float()
        both = differ * (first > 0) * (second > 0)
        for start in (0, 1):
            rim.narrow(axis, start, size).copy_(torch.maximum(rim.narrow(axis, start, size), differ))
            between.narrow(axis, start, size).copy_(torch.maximum(between.narrow(axis, start, size), both))
    # Pixels of nuclei below 40 half-resolution px get more weight, because a small nucleus also counts as one.
    small = torch.sqrt(40 / crops.half_area.clamp_min(4)).clamp(1, 2)
    weight = torch.where(inside > 0, small, torch.ones_like(small))
    drawn = exact[:, None, None]
    # Grown contours: their edge may be off by a pixel or two, but not their center.
    weight = torch.where(drawn > 0, weight + rim + between, torch.where(rim > 0, 0.25, weight))
    shape_weight = 0.6 + 0.4 * drawn
    known = (labels >= 0).float() * (1 - covered * inside)
    offset = crops.offset / OFFSET_UNIT * inside[:, None]
    planes = [inside, crops.half_depth * inside, offset[:, 0], offset[:, 1], weight * known, shape_weight * known]
    return torch.stack(planes, 1)
