"""Loss functions."""

import torch
from torch import Tensor
from torch.nn import functional as F


def nucleus_loss(answer: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Weighted cross-entropy + 0.5 Dice + 2 distance + 0.5 offset, and the four terms for the log.

    answer n × 4 × h × w from {@link NucleusNetwork}; targets n × 6 × h × w from {@link half_resolution_targets}.
    """
    nucleus, distance, offset = targets[:, 0], targets[:, 1], targets[:, 2:4]
    weight, shape_weight = targets[:, 4], targets[:, 5]
    cross = F.binary_cross_entropy_with_logits(answer[:, 0], nucleus, reduction="none")
    cross = (cross * weight).sum() / weight.sum().clamp_min(1)
    known = (weight > 0).float()
    probability = torch.sigmoid(answer[:, 0]) * known
    truth = nucleus * known
    dice = 1 - (2 * (probability * truth).sum() + 1) / ((probability + truth).sum() + 1)
    far = F.smooth_l1_loss(answer[:, 1], distance, beta=0.1, reduction="none")
    far = (far * weight * shape_weight).mean()
    aside = F.smooth_l1_loss(answer[:, 2:4], offset, beta=0.1, reduction="none").sum(1)
    inside = nucleus * known
    aside = (aside * inside).sum() / (inside.sum() + 100)
    total = cross + 0.5 * dice + 2 * far + 0.5 * aside
    return total, torch.stack([cross, dice, far, aside]).detach()
