"""All examples in the training device's memory, and crops cut from them a batch at a time."""

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from torch import Tensor

from .dataset import FLUORESCENCE_TOP, Example

CROP = 160
IGNORED = -1
# The network's target resolution, and the zoom range of crops around it: 0.3 to 0.77 µm per pixel.
UM_PER_PX = 0.5
ZOOMS = (0.65, 1.7)
# The masks' scale is unknown, so their median nucleus is scaled to this diameter, px.
MEDIAN_DIAMETERS = (9.0, 26.0)


class Dice:
    """Seeded random numbers on a device."""

    def __init__(self, device: torch.device | str, seed: int) -> None:
        self.generator = torch.Generator(device).manual_seed(seed)
        self.device = device

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return low + (high - low) * torch.rand(shape, generator=self.generator, device=self.device)

    def log_uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return torch.exp(self.uniform(float(np.log(low)), float(np.log(high)), *shape))

    def normal(self, spread: float, *shape: int) -> Tensor:
        return spread * torch.randn(shape, generator=self.generator, device=self.device)

    def chance(self, odds: float, *shape: int) -> Tensor:
        """1 with the given probability, else 0."""
        return (torch.rand(shape, generator=self.generator, device=self.device) < odds).float()

    def below(self, limit: int, *shape: int) -> Tensor:
        return torch.randint(limit, shape, generator=self.generator, device=self.device)

    def some(self, odds: float, n: int) -> Tensor:
        """Indices of a random share of n; their number is fixed, so that no step waits for the device."""
        return torch.randperm(n, generator=self.generator, device=self.device)[: round(odds * n)]


CONSTANTS: dict[tuple[int, str], tuple[np.ndarray, Tensor]] = {}


def constant(values: np.ndarray, device: torch.device | str) -> Tensor:
    """A module-level array on the device, copied once because every copy blocks the CPU."""
    key = (id(values), str(device))
    if key not in CONSTANTS:
        CONSTANTS[key] = (values, torch.from_numpy(values).to(device))
    return CONSTANTS[key][1]


def reflected(index: Tensor, size: Tensor) -> Tensor:
    """Reflects indices beyond the border, without repeating the border itself."""
    period = 2 * (size - 1).clamp_min(1)
    index = index.remainder(period)
    return torch.where(index >= size, period - index, index)


def bilinear(flat: Tensor, base: Tensor, width: Tensor, height: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Bilinear interpolation in many images stored consecutively in `flat` (P × channels).

    base, width and height: B × 1 × 1; x and y: B × h × w. Returns B × channels × h × w, float32.
    """
    left, top = torch.floor(x), torch.floor(y)
    across, down = (x - left)[:, None], (y - top)[:, None]
    x0, y0 = left.long(), top.long()
    columns = [reflected(x0, width), reflected(x0 + 1, width)]
    rows = [base + reflected(y0, height) * width, base + reflected(y0 + 1, height) * width]
    total: Tensor | float = 0.0
    for row, share_y in zip(rows, (1 - down, down)):
        for column, share_x in zip(columns, (1 - across, across)):
            # On a CPU, two to three times as fast as flat[row + column].
            read = flat.index_select(0, (row + column).flatten()).view(*x.shape, -1)
            total = total + read.movedim(-1, 1).float() * (share_x * share_y)
    return total


@dataclass
class Crops:
    """A batch as cut; half_*: at half resolution, like the targets."""

    rgb: Tensor  # B × 3 × 160 × 160, 0 … 1; fluorescence: 0 … 1.3, bright nuclei
    depth: Tensor  # B × 160 × 160: distance to the edge, 0 … 1
    labels: Tensor  # B × 160 × 160: number of the nucleus in the atlas, 0 none, −1 ignored
    half_labels: Tensor  # B × 80 × 80
    half_depth: Tensor  # B × 80 × 80
    offset: Tensor  # B × 2 × 80 × 80: to the center of the pixel's nucleus, half-resolution px
    half_area: Tensor  # B × 80 × 80: of the pixel's nucleus, half-resolution px

    def at(self, rows: slice | Tensor) -> "Crops":
        return Crops(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


class Atlas:
    """The pixels of all examples, stored consecutively."""

    def __init__(self, examples: list[Example], device: torch.device | str) -> None:
        pixels, small, labels, centers, areas = [], [], [], [np.zeros((1, 2), np.float32)], [np.ones(1)]
        table: dict[str, list[float]] = {name: [] for name in ("base", "width", "height", "base2", "width2", "height2")}
        starts, counts, scales = [], [], []
        at = at2 = 0
        total = 1
        for example in examples:
            rgb = as_bytes(example)
            height, width = example.labels.shape
            half = cv2.resize(rgb, ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA)
            number = example.labels.astype(np.int64)
            number[number > 0] += total - 1
            number[example.ignore > 0] = IGNORED
            for name, value in (
                ("base", at), ("width", width), ("height", height),
                ("base2", at2), ("width2", half.shape[1]), ("height2", half.shape[0]),
            ):
                table[name].append(value)
            pixels.append(np.concatenate([rgb, example.distance[..., None]], 2).reshape(-1, 4))
            small.append(half.reshape(-1, 3))
            labels.append(number.reshape(-1).astype(np.int32))
            n = len(example.centers) - 1
            starts.append(total)
            counts.append(n)
            centers.append(example.centers[1:])
            areas.append(np.bincount(example.labels.ravel(), minlength=n + 1)[1 : n + 1])
            scales.append((example.um_per_px or 0.0, example.diameter))
            at, at2, total = at + height * width, at2 + half.shape[0] * half.shape[1], total + n

        def put(values: np.ndarray) -> Tensor:
            return torch.from_numpy(np.ascontiguousarray(values)).to(device)

        self.pixels, self.small = put(np.concatenate(pixels)), put(np.concatenate(small))
        self.labels = put(np.concatenate(labels))
        self.centers = put(np.concatenate(centers).astype(np.float32))
        self.areas = put(np.concatenate(areas).astype(np.float32))
        self.table = {name: put(np.array(values, np.int64)) for name, values in table.items()}
        self.starts, self.counts = put(np.array(starts)), put(np.array(counts))
        self.um_per_px, self.diameter = (put(np.array(v, np.float32)) for v in zip(*scales))

    def places(self, chosen: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
        """Where to cut each chosen example: B × 2 × 2 from crop to image px, and B × 2, the center in image px."""
        n = len(chosen)
        known = self.um_per_px[chosen]
        by_nuclei = dice.log_uniform(*MEDIAN_DIAMETERS, n) / self.diameter[chosen]
        zoom = torch.where(known > 0, known / UM_PER_PX * dice.log_uniform(*ZOOMS, n), by_nuclei)
        # Most are stretched slightly; one in seventeen so much that round nuclei look like those of stroma and muscle.
        slender = dice.chance(0.06, n) * dice.uniform(0.1, 0.4, n)
        stretch = torch.exp(dice.uniform(-0.1, 0.1, n) + slender)
        mirror = 2 * dice.chance(0.5, n) - 1
        scale = torch.stack([mirror * stretch / zoom, 1 / (stretch * zoom)], 1)
        matrix = turns(n, dice) @ torch.diag_embed(scale) @ turns(n, dice)
        return matrix, self.middles(chosen, zoom, dice)

    def middles(self, chosen: Tensor, zoom: Tensor, dice: Dice) -> Tensor:
        n = len(chosen)
        size = torch.stack([self.table["width"][chosen], self.table["height"][chosen]], 1).float()
        half_side = (CROP / 2 / zoom)[:, None]
        which = (dice.uniform(0, 1, n) * self.counts[chosen]).long().clamp_max((self.counts[chosen] - 1).clamp_min(0))
        row = (self.starts[chosen] + which).clamp_max(len(self.centers) - 1)
        near = self.centers[row] + dice.uniform(-0.6, 0.6, n, 2) * half_side
        anywhere = dice.uniform(0, 1, n, 2) * size
        use = ((self.counts[chosen] > 0).float() * dice.chance(0.7, n))[:, None]
        middle = use * near + (1 - use) * anywhere
        low = torch.minimum(half_side, size / 2)
        return torch.maximum(torch.minimum(middle, torch.maximum(size - half_side, size / 2)), low)

    def cut(self, chosen: Tensor, matrix: Tensor, middle: Tensor) -> Crops:
        base, width, height, base2, width2, height2 = (
            self.table[name][chosen][:, None, None]
            for name in ("base", "width", "height", "base2", "width2", "height2")
        )
        x, y = positions(matrix, middle, torch.arange(CROP, device=middle.device) - (CROP - 1) / 2)
        read = bilinear(self.pixels, base, width, height, x, y)
        # Where the crop is coarser than the image, every second pixel would be skipped, so read a downscaled copy.
        coarse = bilinear(self.small, base2, width2, height2, (x - 0.5) / 2, (y - 0.5) / 2)
        zoom = zooms(matrix)[:, None, None, None]
        rgb = torch.where(zoom < 0.65, coarse, read[:, :3]) / 255
        labels = self.nearest(base, width, height, x, y)
        # Half-size pixel k covers the full-size pixels 2k and 2k + 1.
        steps = 2 * torch.arange(CROP // 2, device=middle.device) + 0.5 - (CROP - 1) / 2
        half_labels = self.nearest(base, width, height, *positions(matrix, middle, steps))
        own = half_labels.clamp_min(0)
        vector = (self.centers[own] - middle[:, None, None]) @ inverses(matrix).transpose(1, 2)[:, None]
        offset = ((vector + (CROP - 1) / 2 - 0.5) / 2).movedim(-1, 1)
        grid = torch.arange(CROP // 2, device=middle.device)
        offset = offset - torch.stack([grid[None, :].expand(CROP // 2, -1), grid[:, None].expand(-1, CROP // 2)])
        depth = read[:, 3] / 255
        return Crops(
            rgb=rgb,
            depth=depth,
            labels=labels,
            half_labels=half_labels,
            half_depth=torch.nn.functional.avg_pool2d(depth[:, None], 2)[:, 0],
            offset=offset,
            half_area=self.areas[own] * zoom[:, 0] ** 2 / 4,
        )

    def nearest(self, base: Tensor, width: Tensor, height: Tensor, x: Tensor, y: Tensor) -> Tensor:
        column, row = torch.round(x).long(), torch.round(y).long()
        beyond = (column < 0) | (row < 0) | (column >= width) | (row >= height)
        at = base + row.clamp_min(0).minimum(height - 1) * width + column.clamp_min(0).minimum(width - 1)
        return self.labels[at].long().masked_fill(beyond, IGNORED)


def positions(matrix: Tensor, middle: Tensor, steps: Tensor) -> tuple[Tensor, Tensor]:
    """Image px of a square of crop px whose rows and columns are `steps` from its center."""
    right, down = steps[None, None, :], steps[None, :, None]
    m = matrix[..., None, None]
    x = m[:, 0, 0] * right + m[:, 0, 1] * down + middle[:, 0, None, None]
    y = m[:, 1, 0] * right + m[:, 1, 1] * down + middle[:, 1, None, None]
    return x, y


def determinants(matrix: Tensor) -> Tensor:
    return matrix[:, 0, 0] * matrix[:, 1, 1] - matrix[:, 0, 1] * matrix[:, 1, 0]


def zooms(matrix: Tensor) -> Tensor:
    """Crop px per image px."""
    return torch.rsqrt(determinants(matrix).abs())


def inverses(matrix: Tensor) -> Tensor:
    m = matrix.movedim(0, -1)
    swapped = torch.stack([torch.stack([m[1, 1], -m[0, 1]]), torch.stack([-m[1, 0], m[0, 0]])])
    return (swapped / determinants(matrix)).movedim(-1, 0)


def turns(n: int, dice: Dice) -> Tensor:
    angle = dice.uniform(0, 2 * np.pi, n)
    c, s = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([c, -s], 1), torch.stack([s, c], 1)], 1)


def as_bytes(example: Example) -> np.ndarray:
    """H × W × 3 uint8; fluorescence scaled so that its largest value is 255."""
    if example.image.ndim == 3:
        return example.image
    gray = np.rint(example.image * (255 / FLUORESCENCE_TOP)).astype(np.uint8)
    return np.repeat(gray[..., None], 3, 2)
