"""Writes a checkpoint as ONNX: batch normalization folded, any image size, output in the decoder's units.

    python -m training.export FOLDER/checkpoint.pt ../packages/pipeline/models/nucleus-network.onnx
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from .network import NucleusNetwork, Residual, Up
from .targets import OFFSET_UNIT
from .train import load_network

OPSET = 13


class GraphWriter:
    """Collects nodes and weights; each method returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def constant(self, values: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, *inputs: str, output: str | None = None, **attributes) -> str:
        name = output or f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def convolution(self, x: str, layer: nn.Conv2d, norm: nn.BatchNorm2d | None = None) -> str:
        weight = layer.weight.detach().double()
        bias = torch.zeros(len(weight)).double() if layer.bias is None else layer.bias.detach().double()
        if norm is not None:
            factor = norm.weight.detach() / torch.sqrt(norm.running_var.double() + norm.eps)
            weight = weight * factor[:, None, None, None]
            bias = (bias - norm.running_mean) * factor + norm.bias.detach()
        return self.node(
            "Conv",
            x,
            self.constant(weight.float().numpy()),
            self.constant(bias.float().numpy()),
            kernel_shape=list(layer.kernel_size),
            pads=list(layer.padding) * 2,
            strides=list(layer.stride),
        )

    def layers(self, x: str, module: nn.Module) -> str:
        """A sequence of convolutions, normalizations, and rectifiers, nested as in the network."""
        if isinstance(module, Residual):
            inner = self.layers(self.layers(x, module.first), module.second)
            return self.node("Relu", self.node("Add", x, inner))
        parts = list(module)
        k = 0
        while k < len(parts):
            part = parts[k]
            if isinstance(part, nn.Conv2d):
                norm = parts[k + 1] if k + 1 < len(parts) else None
                folded = isinstance(norm, nn.BatchNorm2d)
                x = self.convolution(x, part, norm if folded else None)
                k += 1 + folded
            elif isinstance(part, nn.ReLU):
                x = self.node("Relu", x)
                k += 1
            else:
                x = self.layers(x, part)
                k += 1
        return x

    def up(self, x: str, kept: str, module: Up) -> str:
        narrow = self.layers(x, module.narrow)
        twice = self.constant(np.array([1, 1, 2, 2], np.float32))
        large = self.node(
            "Resize",
            narrow,
            "",
            twice,
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )
        return self.layers(self.node("Relu", self.node("Add", large, kept)), module.blend)


def onnx_model(network: NucleusNetwork, facts: dict[str, object]) -> onnx.ModelProto:
    """The network in evaluation mode as ONNX; planes: probability, distance, dx, and dy in half-resolution px."""
    graph = GraphWriter()

    def number(value: float) -> str:
        return graph.constant(np.array(value, np.float32))

    centered = graph.node("Sub", graph.node("Mul", "image", number(4)), number(2))
    one = graph.layers(centered, network.level1)
    two = graph.layers(one, network.level2)
    three = graph.layers(two, network.level3)
    four = graph.layers(three, network.level4)
    x = graph.up(graph.up(graph.up(four, three, network.up3), two, network.up2), one, network.up1)
    answer = graph.layers(x, network.head)
    sizes = graph.constant(np.array([1, 1, 2], np.int64))
    graph.nodes.append(helper.make_node("Split", [answer, sizes], ["logit", "distance", "shift"], axis=1))
    probability = graph.node("Sigmoid", "logit")
    offset = graph.node("Mul", "shift", number(OFFSET_UNIT))
    graph.node("Concat", probability, "distance", offset, output="maps", axis=1)
    made = helper.make_graph(
        graph.nodes,
        "nucleus-network",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["n", 3, "h", "w"])],
        [helper.make_tensor_value_info("maps", TensorProto.FLOAT, ["n", 4, "h2", "w2"])],
        graph.weights,
    )
    model = helper.make_model(
        made, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="stipple-training"
    )
    model.ir_version = 8
    helper.set_model_props(model, {name: str(value) for name, value in facts.items()})
    onnx.checker.check_model(model, full_check=True)
    return model


def largest_difference(network: NucleusNetwork, path: Path) -> float:
    """Largest difference between the network and its ONNX version, on noise of a size never seen."""
    import onnxruntime

    image = torch.rand(1, 3, 208, 272)
    with torch.no_grad():
        answer = network(image).numpy()
    expected = np.concatenate(
        [1 / (1 + np.exp(-answer[:, :1])), answer[:, 1:2], answer[:, 2:] * OFFSET_UNIT], axis=1
    )
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return float(np.abs(session.run(None, {"image": image.numpy()})[0] - expected).max())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    arguments = parser.parse_args()
    trained, known = load_network(arguments.checkpoint)
    model = onnx_model(trained, known)
    onnx.save(model, str(arguments.onnx))
    count = sum(int(np.prod(weight.dims)) for weight in model.graph.initializer)
    difference = largest_difference(trained, arguments.onnx)
    print(f"{count} values, {arguments.onnx.stat().st_size} bytes, off by at most {difference:.1e}: {known}")
