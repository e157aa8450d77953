"""Appearance of crops: stains, backgrounds, painted nuclei, and changes to single nuclei, applied a batch at a time."""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from .atlas import CROP, Atlas, Crops, Dice, bilinear, constant, positions, turns, zooms
from .dataset import FLUORESCENCE_TOP
from .texture import BANK_SIDE

# Ruifrok & Johnston 2001, rows hematoxylin, eosin, and a third orthogonal to neither.
STAINS = np.array([[0.650, 0.704, 0.286], [0.072, 0.990, 0.105], [0.268, 0.570, 0.776]], np.float32)
STAINS /= np.linalg.norm(STAINS, axis=1, keepdims=True)
UNMIX = np.linalg.inv(STAINS)
RED_CELL = np.array([0.12, 0.75, 0.65], np.float32)[:, None, None]
# Variation in the amounts of the three stains.
AMOUNT_SPREAD = np.array([0.28, 0.42, 0.28], np.float32)
AMOUNT_SHIFT = np.array([0.03, 0.06, 0.02], np.float32)
LUMA = np.array([0.3, 0.59, 0.11], np.float32)[:, None, None]
RANDOM_TABLE = 1 << 16


class Textures:
    """The bank's textures on the training device, cropped with random rotation and zoom."""

    def __init__(self, kinds: dict[str, np.ndarray], device: torch.device | str) -> None:
        self.flat = {name: torch.from_numpy(stack).to(device).reshape(-1, 1) for name, stack in kinds.items()}
        self.copies = {name: len(stack) for name, stack in kinds.items()}

    def cut(self, kind: str, n: int, dice: Dice) -> Tensor:
        """n × 160 × 160."""
        matrix = turns(n, dice) / dice.log_uniform(0.6, 1.75, n)[:, None, None]
        steps = torch.arange(CROP, device=dice.device) - (CROP - 1) / 2
        x, y = positions(matrix, dice.uniform(0, BANK_SIDE, n, 2), steps)
        base = (dice.below(self.copies[kind], n) * BANK_SIDE**2)[:, None, None]
        side = torch.full_like(base, BANK_SIDE)
        return bilinear(self.flat[kind], base, side, side, x, y)[:, 0]


def blurred(image: Tensor, sigma: Tensor) -> Tensor:
    """Gaussian blur with a separate sigma of at most 3.2 px per image. n × channels × h × w; sigma: n."""
    reach = 6
    steps = torch.arange(-reach, reach + 1, device=image.device)
    kernel = torch.exp(-0.5 * (steps / sigma[:, None]) ** 2)
    kernel = kernel / kernel.sum(1, keepdim=True)
    for axis in (2, 3):
        size = image.shape[axis]
        padded = F.pad(image, (reach, reach, 0, 0) if axis == 3 else (0, 0, reach, reach), mode="reflect")
        total: Tensor | float = 0.0
        for k in range(2 * reach + 1):
            total = total + padded.narrow(axis, k, size) * kernel[:, k, None, None, None]
        image = total
    return image


def by_nucleus(labels: Tensor, dice: Dice, spread: float | None = None) -> Tensor:
    """One random number per nucleus, shared by all its pixels: normal if a spread is given, else uniform in 0 … 1."""
    table = dice.normal(1.0, RANDOM_TABLE) if spread is not None else dice.uniform(0, 1, RANDOM_TABLE)
    seeds = dice.below(RANDOM_TABLE, len(labels), 1, 1)
    values = table[(labels * 40503 + seeds) & (RANDOM_TABLE - 1)]
    return values * spread if spread is not None else values


def random_stains(n: int, spread: float, dice: Dice) -> Tensor:
    base = constant(STAINS, dice.device)
    stains = (base + dice.normal(spread, n, 3, 3)).clamp_min(0.01)
    return stains / stains.norm(dim=2, keepdim=True)


def eosin_scene(bank: Textures, n: int, dice: Dice) -> tuple[Tensor, Tensor, Tensor]:
    """Optical densities of painted tissue without nuclei: eosin, hematoxylin haze, red cells. Each n × 160 × 160."""

    def u(low: float, high: float) -> Tensor:
        return dice.uniform(low, high, n, 1, 1)

    def c(odds: float) -> Tensor:
        return dice.chance(odds, n, 1, 1)

    smooth, rough = bank.cut("smooth", n, dice), bank.cut("rough", n, dice)
    eosin = u(0, 0.6) + c(0.2) * u(0, 0.5) + u(0.02, 0.15) * smooth + c(0.7) * u(0.01, 0.08) * rough
    eosin = eosin + c(0.5) * u(0.03, 0.25) * bank.cut("fibers", n, dice)
    eosin = eosin + c(0.3) * u(-0.25, 0.3) * bank.cut("borders", n, dice)
    other = bank.cut("smooth", n, dice)
    haze = c(0.5) * (u(0, 0.25) + u(0, 0.08) * other + c(0.4) * u(0, 0.06) * rough.flip(1))
    red = c(0.25) * u(0.4, 1.2) * bank.cut("red", n, dice)
    tissue = 1 - c(0.4) * bank.cut("holes", n, dice).clamp(0, 1)
    # A fold doubles the tissue.
    fold = 1 + c(0.06) * u(0.4, 1.0) * torch.sigmoid((0.25 - other.abs()) * 20)
    return (eosin * tissue * fold).clamp_min(0), (haze * tissue * fold).clamp_min(0), red


def mixed(hematoxylin: Tensor, bank: Textures, dice: Dice) -> Tensor:
    """Nuclei of a given optical density in a painted scene, as RGB."""
    n = len(hematoxylin)
    eosin, haze, red = eosin_scene(bank, n, dice)
    cover = torch.exp(-dice.uniform(0.5, 2.5, n, 1, 1) * hematoxylin.clamp_min(0))
    grain = (1 + dice.uniform(0, 0.25, n, 1, 1) * bank.cut("rough", n, dice)).clamp(0.2, 2)
    stains = random_stains(n, 0.09, dice)
    blood = constant(RED_CELL, dice.device)
    density = (hematoxylin * grain + haze * cover).clamp_min(0)[:, None] * stains[:, 0, :, None, None]
    density = density + (eosin * cover)[:, None] * stains[:, 1, :, None, None] + (red * cover)[:, None] * blood
    # Vary section thickness.
    density = density * (1 + dice.chance(0.2, n, 1, 1, 1) * dice.uniform(-0.4, 0.6, n, 1, 1, 1))
    return torch.exp(-density) * dice.uniform(0.86, 1.02, n, 1, 1, 1)


def painted_nuclei(crops: Crops, bank: Textures, dice: Dice) -> Tensor:
    """Optical density of nuclei drawn from their masks alone, each with its own strength, edge, and chromatin."""
    n = len(crops.labels)

    def u(low: float, high: float) -> Tensor:
        return dice.uniform(low, high, n, 1, 1)

    inside = (crops.labels > 0).float()
    strength = u(0.25, 1.1) * torch.exp(u(0.05, 0.45) * by_nucleus(crops.labels, dice, 1.0))
    # Vesicular nuclei are pale in the center, lymphocytes are not; with some variation between nuclei.
    pale = (u(-0.1, 0.75) + 0.15 * by_nucleus(crops.labels, dice, 1.0)).clamp(-0.3, 0.85)
    own = inside * strength * (1 - pale * (crops.depth * 1.6).clamp(0, 1))
    own = own * (1 + u(0.1, 0.5) * bank.cut("rough", n, dice)).clamp(0.15, 2.2)
    # Nucleoli and chromatin clumps.
    spots = torch.sigmoid((bank.cut("rough", n, dice) - u(1.2, 2.4)) * 4) * (crops.depth > 0.25)
    own = own + dice.chance(0.35, n, 1, 1) * u(0.1, 0.6) * spots * inside
    return blurred(own[:, None], dice.uniform(0.5, 1.2, n))[:, 0]


def hazy(signal: Tensor, bank: Textures, dice: Dice, odds: float) -> Tensor:
    """Adds autofluorescence, fibers, and out-of-focus nuclei to a nuclear channel, inverted like the network's input."""
    n = len(signal)

    def u(low: float, high: float) -> Tensor:
        return dice.uniform(low, high, n, 1, 1)

    def c(share: float) -> Tensor:
        return dice.chance(share, n, 1, 1)

    ground = (u(0, 0.25) + u(0, 0.1) * bank.cut("smooth", n, dice)).clamp_min(0)
    fibers = u(0.02, 0.2) * bank.cut("fibers", n, dice).clamp_min(0)
    grain = u(0.01, 0.12) * bank.cut("rough", n, dice).clamp_min(0)
    far = F.interpolate(F.avg_pool2d(signal[:, None], 8), scale_factor=8, mode="bilinear")[:, 0]
    moved = torch.roll(far, (53, 71), (1, 2)).flip(1)
    signal = signal + c(max(odds, 0.35)) * ground + c(odds / 2) * (fibers + grain) + c(0.25) * u(0.1, 0.5) * moved
    return (1 - signal).clamp(0, 1)[:, None].expand(-1, 3, -1, -1)


def fluorescent(crops: Crops, dice: Dice) -> Tensor:
    """The nuclear channel with a different strength and gamma."""
    n = len(crops.rgb)
    signal = crops.rgb[:, 0] * FLUORESCENCE_TOP
    factor = torch.exp(dice.uniform(-0.35, 0.35, n, 1, 1) + dice.chance(0.3, n, 1, 1) * by_nucleus(crops.labels, dice, 0.35))
    gamma = torch.exp(dice.uniform(-0.6, 0.45, n, 1, 1))
    return (signal * factor).clamp(1e-4, 1.3) ** gamma


def local_ground(density: Tensor, inside: Tensor) -> Tensor:
    """Background around the nuclei, extended over them. density n × 3 × 160 × 160; inside n × 1 × 160 × 160, 0 … 1."""
    outside = 1 - inside
    weighted, weight = F.avg_pool2d(density * outside, 8), F.avg_pool2d(outside, 8)
    for _ in range(3):
        weighted, weight = (F.avg_pool2d(v, 3, 1, 1, count_include_pad=False) for v in (weighted, weight))
    return F.interpolate(weighted / weight.clamp_min(1e-3), size=density.shape[2:], mode="bilinear")


def brightfield(crops: Crops, stained: Tensor, plain: Tensor, bank: Textures, dice: Dice) -> Tensor:
    """Real or rendered brightfield crops with different nuclei, stains, strength, and background.

    stained: 1 if the image is H&E; plain: 1 if its background is plain and may get painted eosin. Both: n.
    """
    n = len(crops.rgb)

    def u(low: float, high: float, *shape: int) -> Tensor:
        return dice.uniform(low, high, n, *(shape or (1, 1, 1)))

    def c(odds: float) -> Tensor:
        return dice.chance(odds, n, 1, 1, 1)

    density = -torch.log(crops.rgb.clamp_min(0.02))
    inside = F.avg_pool2d((crops.labels > 0).float()[:, None], 3, 1, 1, count_include_pad=False)
    # Make single nuclei paler or darker, keeping their texture.
    ground = local_ground(density, (inside > 0).float())
    change = torch.exp(u(0.15, 0.6) * by_nucleus(crops.labels, dice, 1.0)[:, None] - u(0, 0.35)).clamp(0.3, 1.7)
    edited = ground + (density - ground) * change
    density = density + c(0.12) * inside * (edited - density)
    # The stain's strength drifts.
    density = density * (1 + c(0.3) * u(0, 0.2) * bank.cut("smooth", n, dice)[:, None]).clamp(0.4, 1.8)

    he = stained[:, None, None, None]
    unmix = constant(UNMIX, dice.device)
    amounts = density.movedim(1, -1) @ unmix
    spread, shift = constant(AMOUNT_SPREAD, dice.device), constant(AMOUNT_SHIFT, dice.device)
    amounts = amounts * torch.exp(spread * dice.normal(1, n, 1, 1, 3)) + shift * dice.normal(1, n, 1, 1, 3)
    again = (amounts @ random_stains(n, 0.08, dice)[:, None]).movedim(-1, 1)
    density = torch.where((he * c(0.75)) > 0, again, density)

    eosin, haze, red = eosin_scene(bank, n, dice)
    stains = random_stains(n, 0.08, dice)
    blood = constant(RED_CELL, dice.device)
    flat = density[:, :, ::4, ::4].flatten(2).sort(2).values
    level = flat[:, :, flat.shape[2] // 5, None, None]
    lifted = density - level * u(0.4, 1.0)
    cover = torch.exp(-1.5 * lifted.mean(1, keepdim=True).clamp_min(0))
    under = eosin[:, None] * stains[:, 1, :, None, None] + haze[:, None] * stains[:, 0, :, None, None] + red[:, None] * blood
    density = torch.where((plain[:, None, None, None] * c(0.45)) > 0, lifted + cover * under, density)

    purple = density.mean(1, keepdim=True) * u(0.8, 1.8) * random_stains(n, 0.08, dice)[:, 0, :, None, None]
    density = torch.where(((1 - he) * c(0.3)) > 0, purple, density)
    rgb = torch.exp(-density.clamp(-0.1, 5))
    gray = (rgb * constant(LUMA, dice.device)).sum(1, keepdim=True).expand(-1, 3, -1, -1)
    return torch.where(c(0.08) > 0, gray, rgb)


def with_pasted_nuclei(crops: Crops, chosen: Tensor, matrix: Tensor, atlas: Atlas, dice: Dice, odds: float) -> Crops:
    """Pastes nuclei from elsewhere in the same image into some crops: crowded, touching, and overlapping ones."""
    rows = dice.some(odds, len(chosen))
    if len(rows) == 0:
        return crops
    n = len(rows)
    turned = matrix[rows] @ turns(n, dice)
    zoom = zooms(turned)
    source = chosen[rows]
    more = atlas.cut(source, turned, atlas.middles(source, zoom, dice))
    number = len(atlas.centers)
    share = dice.uniform(0.15, 0.9, n, 1, 1)
    luck = dice.uniform(0, 1, RANDOM_TABLE)
    seeds = dice.below(RANDOM_TABLE, n, 1, 1)

    def kept(labels: Tensor) -> Tensor:
        return (labels > 0) & (luck[(labels * 40503 + seeds) & (RANDOM_TABLE - 1)] < share)

    paste, half_paste = kept(more.labels), kept(more.half_labels)
    soft = blurred(paste.float()[:, None], torch.full((n,), 0.7, device=dice.device))
    old = crops.rgb[rows]
    covered = old * (1 - soft) + more.rgb * soft
    # In half of the crops, light passes through both nuclei, so that overlaps are darker.
    through = torch.where(soft > 0.5, torch.minimum(old, more.rgb), covered)
    rgb = torch.where(dice.chance(0.5, n, 1, 1, 1) > 0, through, covered)
    result = Crops(*(getattr(crops, name).clone() for name in crops.__dataclass_fields__))
    result.rgb[rows] = rgb
    for name, where in (("depth", paste), ("half_depth", half_paste), ("half_area", half_paste)):
        getattr(result, name)[rows] = torch.where(where, getattr(more, name), getattr(crops, name)[rows])
    result.offset[rows] = torch.where(half_paste[:, None], more.offset, crops.offset[rows])
    # The same nucleus may appear twice, so the pasted one gets a separate number.
    result.labels[rows] = torch.where(paste, more.labels + number, crops.labels[rows])
    result.half_labels[rows] = torch.where(half_paste, more.half_labels + number, crops.half_labels[rows])
    return result
