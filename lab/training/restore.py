"""Converts an ONNX file written by `training.export` into a starting checkpoint (`training.train --start`).

    python -m training.restore --data DIR --rendered FOLDER FILE.onnx START.pt

The file contains convolutions with batch normalization folded in. This undoes the folding: each layer is normalized
by its statistics on painted crops, then scaled and shifted back, so that the output is unchanged and training can
continue.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from .atlas import Dice
from .export import largest_difference
from .network import NucleusNetwork
from .paint import Textures
from .sample import Sampler
from .texture import texture_bank
from .train import Learner, learned

BATCHES = 6


def convolutions(network: NucleusNetwork) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """The convolutions in export order, each with the normalization that follows it."""
    found: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            found.append((module, None))
        elif isinstance(module, nn.BatchNorm2d):
            found[-1] = (found[-1][0], module)
    return found


@torch.no_grad()
def load_onnx(network: NucleusNetwork, model: onnx.ModelProto) -> None:
    """Loads the file's weights, with normalization that only adds the folded shift."""
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    folded = [node for node in model.graph.node if node.op_type == "Conv"]
    layers = convolutions(network)
    if [values[node.input[1]].shape for node in folded] != [tuple(layer.weight.shape) for layer, _ in layers]:
        raise ValueError("The file contains a different network.")
    for node, (layer, norm) in zip(folded, layers):
        weight, bias = (torch.from_numpy(np.array(values[name])) for name in node.input[1:3])
        layer.weight.copy_(weight)
        if norm is None:
            layer.bias.copy_(bias)
            continue
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.weight.fill_(1)
        norm.bias.copy_(bias)


@torch.no_grad()
def normalize(network: NucleusNetwork, batches: list[Tensor]) -> None:
    """Sets each normalization to the layer's mean and variance over the images, leaving the output unchanged."""
    layers = [(layer, norm) for layer, norm in convolutions(network) if norm is not None]
    sums = [torch.zeros(2, len(norm.bias), dtype=torch.float64) for _, norm in layers]
    count = [0] * len(layers)

    def note(k: int):
        def hook(_layer: nn.Module, _given: object, answer: Tensor) -> None:
            values = answer.double()
            sums[k] += torch.stack([values.sum((0, 2, 3)), (values**2).sum((0, 2, 3))])
            count[k] += values.numel() // values.shape[1]

        return hook

    hooks = [layer.register_forward_hook(note(k)) for k, (layer, _) in enumerate(layers)]
    network.eval()
    for images in batches:
        network(images)
    for hook in hooks:
        hook.remove()
    for (_, norm), (total, squares), n in zip(layers, sums, count):
        mean = total / n
        variance = (squares / n - mean**2).clamp_min(1e-6)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.add_(mean)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, help="folder with the open data sets")
    parser.add_argument("--rendered", type=Path, help="folder written by training.rendered_tissue")
    parser.add_argument("--bundle", type=Path, help="file written by training.bundle, instead of the two folders")
    arguments = parser.parse_args()
    arguments.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    model = onnx.load(arguments.onnx)
    network = NucleusNetwork()
    load_onnx(network, model)
    examples = learned(arguments.bundle, arguments.data, arguments.rendered, arguments.checkpoint.parent)
    sampler = Sampler(examples, Textures(texture_bank(6, 2), "cpu"), Dice("cpu", 1), 0.5)
    normalize(network, [sampler.batch().images for _ in range(BATCHES)])
    print(f"off by at most {largest_difference(network, arguments.onnx):.1e}")
    facts = {entry.key: entry.value for entry in model.metadata_props}
    learner = Learner(network, 0.0, "cpu")
    learner.earlier, learner.crops = int(facts["steps"]), int(facts["crops"])
    learner.save(arguments.checkpoint, int(facts["seconds"]))


if __name__ == "__main__":
    main()
