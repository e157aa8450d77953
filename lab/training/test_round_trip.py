"""The network's targets must decode to the nuclei they were made from.

    PYTHONPATH=lab python -m unittest discover -s lab/training -t lab
"""

import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch

from .atlas import CROP, Atlas, Crops, Dice
from .dataset import Example, describe
from .decode import DecodeOptions, decode
from .drawn_masks import drawn_examples
from .evaluate import score
from .export import largest_difference, onnx_model
from .network import NucleusNetwork
from .paint import Textures
from .restore import convolutions, load_onnx, normalize
from .sample import Sampler
from .split import fields_by_seams, held_out
from .targets import OFFSET_UNIT, half_resolution_targets
from .texture import texture_bank
from .train import turned, turned_maps


def drawn_example(exact: bool = True) -> Example:
    """Nuclei 16 px wide on a grid, every second one touching its neighbor."""
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
        half = torch.from_numpy(example.labels[::2, ::2].astype(np.int64))[None]
        # Half-resolution pixel k of this subsampling lies at full-resolution pixel 2k.
        ys, xs = torch.meshgrid(torch.arange(160.0), torch.arange(160.0), indexing="ij")
        own = torch.from_numpy(example.centers / 2)[half]
        offset = torch.stack([own[..., 0] - xs, own[..., 1] - ys], 1)
        depth = torch.from_numpy(example.distance[::2, ::2] / np.float32(255))[None]
        nothing = torch.zeros(1, 160, 160)
        crops = Crops(nothing, depth, half, half, depth, offset, nothing + 64)
        planes = half_resolution_targets(crops, torch.ones(1), nothing)[0].numpy()
        maps = planes[:4].copy()
        maps[2:] *= OFFSET_UNIT
        found = decode(maps, DecodeOptions())
        sums = score(example.labels.astype(int), found, np.zeros(found.shape, bool), example.centers)
        nuclei, kept, hits = sums[:3]
        self.assertEqual((nuclei, kept, hits), (154, 154, 154))

    def test_every_pixel_of_a_crop_points_to_its_own_center(self) -> None:
        atlas, dice = Atlas([drawn_example()], "cpu"), Dice("cpu", 3)
        chosen = torch.zeros(12, dtype=torch.long)
        matrix, middle = atlas.places(chosen, dice)
        crops = atlas.cut(chosen, matrix, middle)
        spread = []
        for labels, offset in zip(crops.half_labels, crops.offset):
            for number in labels[labels > 0].unique():
                ys, xs = torch.nonzero(labels == number, as_tuple=True)
                aim = torch.stack([offset[0, ys, xs] + xs, offset[1, ys, xs] + ys])
                spread.append(float((aim - aim[:, :1]).abs().max()))
        self.assertGreater(len(spread), 50)
        self.assertLess(max(spread), 0.01)

    def test_batches_of_every_look_are_complete(self) -> None:
        fluorescent = drawn_example()
        fluorescent.group, fluorescent.stain = "fluorescence", "fluorescence"
        fluorescent.image = (fluorescent.labels > 0).astype(np.float32)
        textures = Textures(texture_bank(1), "cpu")
        sampler = Sampler([drawn_example(), fluorescent, *drawn_examples(1)], textures, Dice("cpu", 5), 0.05)
        self.assertEqual(set(sampler.looks), {"brightfield", "painted", "fluorescence"})
        batch = sampler.batch()
        n = sum(sampler.looks.values())
        self.assertEqual(batch.images.shape, (n, 3, CROP, CROP))
        self.assertEqual(batch.targets.shape, (n, 6, CROP // 2, CROP // 2))
        for planes in (batch.images, batch.targets):
            self.assertTrue(bool(torch.isfinite(planes).all()))
        outside = (batch.targets[:, :1] == 0).expand(-1, 4, -1, -1)
        self.assertEqual(float(batch.targets[:, :4][outside].abs().max()), 0)
        self.assertGreater(float(batch.targets[:, 0].sum()), 0)

    def test_ignored_ground_has_no_weight(self) -> None:
        labels = torch.zeros(1, 20, 20, dtype=torch.long)
        labels[:, 5:9] = -1
        nothing = torch.zeros(1, 20, 20)
        crops = Crops(nothing, nothing, labels, labels, nothing, torch.zeros(1, 2, 20, 20), nothing + 1)
        planes = half_resolution_targets(crops, torch.ones(1), nothing)[0]
        ignored = labels[0] < 0
        # Background far from the border has weight 1; the border of an ignored area counts as an edge.
        self.assertEqual(float(planes[4:, ignored].max()), 0)
        self.assertEqual(float(planes[4, ~ignored].min()), 1)

    def test_turning_moves_vectors_with_their_pixels(self) -> None:
        ys, xs = torch.meshgrid(torch.arange(8.0), torch.arange(8.0), indexing="ij")
        maps = torch.stack([xs + 9 * ys, xs * ys, 2 - xs, 5 - ys])[None]
        for turn in range(8):
            laid = turned_maps(maps, turn)
            aim = torch.stack([laid[0, 2] + xs, laid[0, 3] + ys])
            self.assertEqual(float((aim - aim[:, :1, :1]).abs().max()), 0)
            self.assertTrue(torch.equal(laid[:, :1], turned(maps[:, :1], turn)))

    def test_neighboring_tiles_share_a_field(self) -> None:
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
        network = trained_network()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "network.onnx"
            onnx.save(onnx_model(network, {}), str(path))
            self.assertLess(largest_difference(network, path), 1e-4)

    def test_a_network_made_of_its_export_is_normalized_again_and_answers_as_before(self) -> None:
        network, made = trained_network(), NucleusNetwork()
        load_onnx(made, onnx_model(network, {}))
        images = torch.rand(4, 3, 64, 64)
        normalize(made, [images[:2], images[2:]])
        with torch.no_grad():
            answer = network(images)
            self.assertLess(float((made.eval()(images) - answer).abs().max()), 1e-4)
            # If normalization stayed folded, output in training mode would differ, as it uses each batch's own mean.
            self.assertLess(float((made.train()(images) - answer).abs().max()), 1e-3)
        means = [norm.running_mean.abs().max() for _, norm in convolutions(made) if norm is not None]
        self.assertGreater(float(max(means)), 0.1)
        with self.assertRaises(ValueError):
            load_onnx(NucleusNetwork((16, 32, 48, 64)), onnx_model(network, {}))


def trained_network() -> NucleusNetwork:
    """A network with random weights, normalized by means and variances that differ from those of its layers."""
    torch.manual_seed(7)
    network = NucleusNetwork().eval()
    for layer in network.modules():
        if hasattr(layer, "running_var"):
            layer.running_var.uniform_(0.5, 2)
            layer.running_mean.normal_(0, 0.2)
    return network


if __name__ == "__main__":
    unittest.main()
