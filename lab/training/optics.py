"""Effects of dust, a pen, a microscope, a camera, and a file format on an image, applied a batch at a time."""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from .atlas import Dice, constant
from .paint import Textures, blurred

LUMINANCE = np.array(
    [
        [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56],
        [14, 17, 22, 29, 51, 87, 80, 62], [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
        [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99],
    ],
    np.float32,
)  # fmt: skip
CHROMINANCE = np.full((8, 8), 99, np.float32)
CHROMINANCE[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]
TO_YCC = np.array([[0.299, 0.587, 0.114], [-0.1687, -0.3313, 0.5], [0.5, -0.4187, -0.0813]], np.float32)
FROM_YCC = np.linalg.inv(TO_YCC)
DCT = np.array(
    [[np.sqrt((1 if k == 0 else 2) / 8) * np.cos(np.pi * (2 * x + 1) * k / 16) for x in range(8)] for k in range(8)],
    np.float32,
)


def soiled(rgb: Tensor, bank: Textures, dice: Dice) -> tuple[Tensor, Tensor]:
    """Adds debris, refractile specks, and pen strokes; also returns where debris hides the tissue, 0 or 1."""
    n = len(rgb)
    specks = bank.cut("debris", n, dice)
    alpha = (dice.chance(0.14, n, 1, 1) * specks).clamp(0, 1)
    strength = dice.uniform(0.7, 3.0, n, 1, 1, 1)
    # Black, brown, or gray, but not blue or purple like nuclei.
    color = torch.stack(
        [dice.uniform(0.6, 1.0, n), dice.uniform(0.75, 1.1, n), dice.uniform(0.8, 1.6, n)], 1
    )[:, :, None, None]
    dark = rgb * torch.exp(-strength * color * alpha[:, None])
    ring = (F.max_pool2d(alpha[:, None], 5, 1, 2) - alpha[:, None]).clamp(0, 1)
    shine = dice.chance(0.4, n, 1, 1, 1) * dice.uniform(0.2, 0.9, n, 1, 1, 1)
    rgb = dark + (1.05 - dark) * ring * shine
    stroke = torch.sigmoid((bank.cut("smooth", n, dice) - dice.uniform(-0.5, 0.8, n, 1, 1)) * 15)[:, None]
    ink = dice.uniform(0, 1.4, n, 3, 1, 1)
    rgb = rgb * torch.exp(-dice.chance(0.015, n, 1, 1, 1) * stroke * ink)
    return rgb, (alpha > 0.35).float()


def photographed(rgb: Tensor, bank: Textures, dice: Dice) -> Tensor:
    """Varies light, focus, sharpness, noise, and compression. n × 3 × 160 × 160, 0 … 1."""
    n = len(rgb)
    gain = torch.where(dice.chance(0.6, n, 1) > 0, dice.uniform(0.86, 1.12, n, 3), dice.uniform(0.86, 1.12, n, 1))
    changed = rgb * gain[..., None, None] + dice.uniform(-0.06, 0.06, n, 1, 1, 1)
    shade = 1 + dice.chance(0.2, n, 1, 1, 1) * dice.uniform(0, 0.06, n, 1, 1, 1) * bank.cut("smooth", n, dice)[:, None]
    rgb = torch.where(dice.chance(0.5, n, 1, 1, 1) > 0, changed * shade, rgb)
    bent = rgb.clamp(1e-3, 2) ** torch.exp(dice.uniform(-0.4, 0.4, n, 1, 1, 1))
    rgb = torch.where(dice.chance(0.25, n, 1, 1, 1) > 0, bent, rgb).clone()
    order = dice.some(1.0, n)
    cuts = [round(share * n) for share in (0.22, 0.32, 0.42, 0.47, 0.52)]
    plain, local, sharp, coarse, coarser = (order[a:b] for a, b in zip([0, *cuts], cuts))
    if n >= 20:
        rgb[plain] = blurred(rgb[plain], dice.uniform(0.4, 2.1, len(plain)))
        # Only part of the image is out of focus.
        where = torch.sigmoid(4 * bank.cut("smooth", len(local), dice))[:, None]
        soft = blurred(rgb[local], dice.uniform(0.8, 2.6, len(local)))
        rgb[local] = rgb[local] * (1 - where) + soft * where
        smooth = blurred(rgb[sharp], torch.full((len(sharp),), 1.3, device=rgb.device))
        rgb[sharp] = rgb[sharp] + dice.uniform(0.2, 1.3, len(sharp), 1, 1, 1) * (rgb[sharp] - smooth)
        # Simulate a coarser scan that has been upsampled.
        for rows, side in ((coarse, 110), (coarser, 76)):
            small = F.interpolate(rgb[rows], size=side, mode="bilinear", antialias=True)
            rgb[rows] = F.interpolate(small, size=rgb.shape[2:], mode="bilinear")
    noise = dice.normal(1, *rgb.shape)
    noise = torch.where(dice.chance(0.5, n, 1, 1, 1) > 0, noise, noise[:, :1].expand_as(noise))
    rgb = rgb + dice.chance(0.3, n, 1, 1, 1) * dice.uniform(0.006, 0.05, n, 1, 1, 1) * noise
    rgb = rgb.clamp(0, 1)
    rows = dice.some(0.22, n)
    if len(rows):
        rgb[rows] = compressed(rgb[rows], dice.uniform(30, 92, len(rows)))
    return rgb


def compressed(rgb: Tensor, quality: Tensor) -> Tensor:
    """Simulates JPEG compression of a given quality, with chroma at half resolution."""
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)[:, None, None, None, None, None]
    to_ycc = constant(TO_YCC, rgb.device)
    ycc = torch.einsum("cd,ndhw->nchw", to_ycc, rgb * 255)
    light = quantized(ycc[:, :1] - 128, LUMINANCE, scale) + 128
    color = F.interpolate(quantized(F.avg_pool2d(ycc[:, 1:], 2), CHROMINANCE, scale), scale_factor=2, mode="bilinear")
    back = constant(FROM_YCC, rgb.device)
    return (torch.einsum("cd,ndhw->nchw", back, torch.cat([light, color], 1)) / 255).clamp(0, 1)


def quantized(plane: Tensor, table: np.ndarray, scale: Tensor) -> Tensor:
    n, channels, height, width = plane.shape
    dct = constant(DCT, plane.device)
    steps = (constant(table, plane.device) * scale).clamp_min(1)
    blocks = plane.reshape(n, channels, height // 8, 8, width // 8, 8).transpose(3, 4)
    coded = torch.round(dct @ blocks @ dct.T / steps) * steps
    return (dct.T @ coded @ dct).transpose(3, 4).reshape(plane.shape)
