"""Training batches: which examples are cut, how they are rendered, and the network's targets."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from .atlas import Atlas, Crops, Dice
from .dataset import Example
from .optics import photographed, soiled
from .paint import Textures, brightfield, fluorescent, hazy, mixed, painted_nuclei, with_pasted_nuclei
from .targets import half_resolution_targets

EMPTY = "empty"

# Composition of 139 crops: look, source, number.
SOURCES = (
    ("brightfield", "he-breast", 31),
    ("brightfield", "he-like", 26),
    ("brightfield", "purple-gray", 5),
    ("brightfield", "rendered-he", 32),
    ("as H&E", "fluorescence", 6),
    ("painted", "fluorescence", 3),
    ("painted", "he-like", 3),
    ("painted", "rendered-he", 3),
    ("painted", "drawn", 5),
    ("painted", EMPTY, 3),
    ("fluorescence", "fluorescence", 15),
    ("fluorescence", "rendered-if", 6),
    ("fluorescence", EMPTY, 1),
)
PASTED = 0.08  # share of the brightfield crops


@dataclass
class Batch:
    images: Tensor  # n × 3 × 160 × 160, RGB 0 … 1
    targets: Tensor  # n × 6 × 80 × 80


class Sampler:
    """Endless random batches."""

    def __init__(self, examples: list[Example], bank: Textures, dice: Dice, scale: float = 1.0) -> None:
        self.atlas, self.bank, self.dice = Atlas(examples, dice.device), bank, dice
        self.pools: list[tuple[Tensor, Tensor, int]] = []
        self.looks: dict[str, int] = {}
        empty: list[bool] = []
        for look, group, count in SOURCES:
            members = [k for k, e in enumerate(examples) if e.group == group or group == EMPTY]
            count = math.ceil(scale * count)
            if not members:
                continue
            # A tile full of nuclei is more informative than one with three.
            odds = [0.5 + math.sqrt(len(examples[k].centers)) for k in members]
            self.pools.append(
                (torch.tensor(members, device=dice.device), torch.tensor(odds, device=dice.device), count)
            )
            key = "painted" if look == "as H&E" else look
            self.looks[key] = self.looks.get(key, 0) + count
            empty += [group == EMPTY] * count
        repainted = [look == "painted" for look, group, n in SOURCES if look != "brightfield" and look != "fluorescence"
                     and any(e.group == group or group == EMPTY for e in examples) for _ in range(math.ceil(scale * n))]

        def flag(values: list) -> Tensor:
            return torch.tensor(values, dtype=torch.float32, device=dice.device)

        self.empty, self.repainted = flag(empty), flag(repainted)
        self.stained = flag([e.stain == "he" for e in examples])
        self.plain = flag([e.group == "he-like" for e in examples])
        self.exact = flag([e.exact_contours for e in examples])

    def batch(self) -> Batch:
        dice, bank = self.dice, self.bank
        picked = [
            members[torch.multinomial(odds, n, replacement=True, generator=dice.generator)]
            for members, odds, n in self.pools
        ]
        chosen = torch.cat(picked)
        matrix, middle = self.atlas.places(chosen, dice)
        crops = self.atlas.cut(chosen, matrix, middle)
        nothing = self.empty[:, None, None]
        crops.labels = torch.where(nothing > 0, 0, crops.labels)
        crops.half_labels = torch.where(nothing > 0, 0, crops.half_labels)
        start, parts, made = 0, [], []
        for look, n in self.looks.items():
            rows = slice(start, start + n)
            start += n
            part = crops.at(rows)
            if look == "brightfield":
                part = with_pasted_nuclei(part, chosen[rows], matrix[rows], self.atlas, dice, PASTED)
                rgb = brightfield(part, self.stained[chosen[rows]], self.plain[chosen[rows]], bank, dice)
            elif look == "painted":
                signal = fluorescent(part, dice) * dice.uniform(0.4, 1.3, n, 1, 1) * (1 - self.empty[rows, None, None])
                drawn = painted_nuclei(part, bank, dice)
                rgb = mixed(torch.where(self.repainted[:, None, None] > 0, drawn, signal), bank, dice)
            else:
                rgb = hazy(fluorescent(part, dice) * (1 - self.empty[rows, None, None]), bank, dice, 0.35)
            parts.append(part)
            made.append(rgb)
        clean = torch.cat(made).clamp(0, 1)
        joined = Crops(*(torch.cat([getattr(p, name) for p in parts]) for name in Crops.__dataclass_fields__))
        dirty, hidden = soiled(clean, bank, dice)
        images = photographed(dirty, bank, dice)
        # Fluorescence is the last of the looks, and is shown in gray.
        gray = images.shape[0] - self.looks.get("fluorescence", 0)
        images[gray:] = images[gray:].mean(1, keepdim=True)
        covered = torch.nn.functional.max_pool2d(hidden[:, None], 2)[:, 0]
        exact = torch.maximum(self.exact[chosen], self.empty)
        targets = half_resolution_targets(joined, exact, covered)
        return Batch(images, targets)
