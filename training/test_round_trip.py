"""What the network shall answer must decode to the very nuclei it was made from.

    python -m unittest discover -s training -t .
"""

import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import onnx

from .augment import CROP, sample
from .dataset import Example, describe
from .decode import DecodeOptions, decode
from .evaluate import score
from .export import largest_difference, onnx_model
from .network import NucleusNetwork
from .split import fields_by_seams, held_out
from .targets import OFFSET_UNIT, half_resolution_targets
from .texture import TextureBank


def drawn_example(exact: bool = True) -> Example:
    """Nuclei 16 px wide on a grid, every second one touching its neighbour."""
    labels = np.zeros((320, 320), np.uint16)
    number = 0
    for y in range(20, 310, 28):
        for x in range(20, 300, 40):
            for shift in (0, 17):
                number += 1
                cv2.ellipse(labels, (x + shift, y), (8, 9), 0, 0, 360, number, -1)
    image = np.where(labels[..., None] > 0, [110, 70, 150], [230, 190, 210]).astype(np.uint8)
    none = np.zeros(labels.shape, np.uint8)
    return describe(
        Example("grid", "he-like", "he", image, labels, np.zeros((0, 2)), none, 0.5, exact)
    )


class RoundTrip(unittest.TestCase):
    def test_targets_decode_to_their_nuclei(self) -> None:
        example = drawn_example()
        half = example.labels[::2, ::2]
        # Half-resolution pixel k of this thinning lies at full-resolution pixel 2k.
        planes = half_resolution_targets(
            half, example.distance[::2, ::2] / 255, np.zeros(half.shape, bool), example.centres / 2, True
        )
        maps = planes[:4].copy()
        maps[2:] *= OFFSET_UNIT
        found = decode(maps, DecodeOptions())
        sums = score(example.labels.astype(int), found, np.zeros(found.shape, bool), example.centres)
        nuclei, kept, hits = sums[:3]
        self.assertEqual((nuclei, kept, hits), (154, 154, 154))

    def test_crop_and_targets_agree(self) -> None:
        rng = np.random.default_rng(3)
        bank = TextureBank(1, copies=1)
        for _ in range(20):
            image, targets = sample(drawn_example(), "own", bank, rng)
            self.assertEqual(image.shape, (3, CROP, CROP))
            self.assertTrue(np.isfinite(image).all() and np.isfinite(targets).all())
            inside = targets[0] > 0
            # A centre is never farther than the nucleus is long, at any zoom that is used.
            self.assertLess(np.abs(targets[2:4, inside] * OFFSET_UNIT).max(), 9 * 1.5 * 1.2)
            self.assertEqual(np.abs(targets[1:4, ~inside]).max(), 0)

    def test_ignored_ground_has_no_weight(self) -> None:
        labels = np.zeros((20, 20), np.uint16)
        ignored = np.zeros((20, 20), bool)
        ignored[5:9] = True
        planes = half_resolution_targets(labels, labels / 1.0, ignored, np.zeros((1, 2)), True)
        self.assertEqual(planes[4:, ignored].max(), 0)
        self.assertEqual(planes[4, ~ignored].min(), 1)

    def test_neighbouring_tiles_share_a_field(self) -> None:
        rng = np.random.default_rng(5)
        grain = rng.integers(0, 255, (9, 17, 3)).astype(np.float32)
        slide = cv2.resize(grain, (512, 256), interpolation=cv2.INTER_CUBIC).clip(0, 255).astype(np.uint8)
        other = cv2.resize(grain[::-1, ::-1], (256, 256)).clip(0, 255).astype(np.uint8)
        fields = fields_by_seams([slide[:, :256], slide[:, 256:], other])
        self.assertEqual(fields[0], fields[1])
        self.assertNotEqual(fields[0], fields[2])
        strata = {str(k): "one" for k in range(20)}
        chosen = held_out(strata, {str(k): str(k // 2) for k in range(20)})
        self.assertTrue(0 < len(chosen) <= 5)
        self.assertTrue(all(str(int(name) ^ 1) in chosen for name in chosen))

    def test_export_answers_as_the_network_does(self) -> None:
        network = NucleusNetwork().eval()
        for layer in network.modules():
            if hasattr(layer, "running_var"):
                layer.running_var.uniform_(0.5, 2)
                layer.running_mean.normal_(0, 0.2)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "network.onnx"
            onnx.save(onnx_model(network, {}), str(path))
            self.assertLess(largest_difference(network, path), 1e-4)


if __name__ == "__main__":
    unittest.main()
