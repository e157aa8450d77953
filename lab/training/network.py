"""A small U-Net: 573,844 parameters (572,868 with batch normalization folded), 20.8 GFLOP per megapixel of input."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

CHANNELS = (16, 48, 96, 112)


def block(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = block(channels, channels)
        self.second = block(channels, channels)[:2]

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class Up(nn.Module):
    """Doubles the resolution and adds the skip connection."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.narrow = block(inputs, outputs, kernel=1)[:2]
        self.blend = block(outputs, outputs)

    def forward(self, x: Tensor, kept: Tensor) -> Tensor:
        return self.blend(F.relu(F.interpolate(self.narrow(x), scale_factor=2, mode="nearest") + kept))


class NucleusNetwork(nn.Module):
    """n × 3 × H × W, RGB 0 … 1, H and W multiples of 16 → n × 4 × H/2 × W/2:
    nucleus logit, normalized distance, offset dx and dy to the nucleus's centroid in units of 8 half-resolution px.
    """

    def __init__(self, channels: tuple[int, int, int, int] = CHANNELS) -> None:
        super().__init__()
        self.channels = tuple(channels)
        a, b, c, d = channels
        self.level1 = nn.Sequential(block(3, a, stride=2), block(a, a))
        self.level2 = nn.Sequential(block(a, b, stride=2), block(b, b))
        self.level3 = nn.Sequential(block(b, c, stride=2), Residual(c))
        self.level4 = nn.Sequential(block(c, d, stride=2), block(d, d))
        self.up3, self.up2, self.up1 = Up(d, c), Up(c, b), Up(b, a)
        self.head = nn.Sequential(block(a, a), nn.Conv2d(a, 4, 1))

    def forward(self, image: Tensor) -> Tensor:
        one = self.level1(image * 4 - 2)
        two = self.level2(one)
        three = self.level3(two)
        four = self.level4(three)
        return self.head(self.up1(self.up2(self.up3(four, three), two), one))
