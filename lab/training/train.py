"""Trains the network and writes a checkpoint every minute; rerunning the same command resumes from it.

    python -m training.train --data DIR --rendered DIR --out FOLDER --minutes 20

The learning rate follows the elapsed time, so the schedule completes on any machine; a faster one just sees more crops.
"""

import argparse
import copy
import json
import math
import os
import random
import time
from pathlib import Path

import cv2
import torch
from torch import multiprocessing, nn

from .atlas import Dice
from .bundle import unpack
from .dataset import Example, load_examples, write_held_out
from .drawn_masks import drawn_examples
from .loss import nucleus_loss
from .network import NucleusNetwork
from .paint import Textures
from .sample import Sampler
from .texture import texture_bank

WEIGHT_DECAY = 0.02
AVERAGE = 0.999
WARM_UP = 0.03  # fraction of the time
CHECKPOINT_SECONDS = 60
LOG_SECONDS = 20
DRAWN = 40


def learning_rate(done: float, peak: float) -> float:
    """done: fraction of the time elapsed."""
    if done < WARM_UP:
        return peak * min(1.0, done / WARM_UP + 0.02)
    return peak * 0.5 * (1 + math.cos(math.pi * (done - WARM_UP) / (1 - WARM_UP))) + 1e-6


class Learner:
    """A network, its optimizer, and its averaged weights."""

    def __init__(self, network: NucleusNetwork, peak: float, device: str) -> None:
        self.peak, self.device, self.steps, self.earlier, self.crops = peak, device, 0, 0, 0
        self.network = network.to(device, memory_format=torch.channels_last).train()
        self.average = copy.deepcopy(self.network).eval()
        shaped = [p for p in network.parameters() if p.ndim > 1]
        flat = [p for p in network.parameters() if p.ndim <= 1]
        groups = [{"params": shaped, "weight_decay": WEIGHT_DECAY}, {"params": flat, "weight_decay": 0}]
        self.optimizer = torch.optim.AdamW(groups, lr=peak)

    def learn(self, images: torch.Tensor, targets: torch.Tensor, done: float) -> torch.Tensor:
        """One step. Returns the terms of the loss."""
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(done, self.peak)
        with torch.autocast(self.device, dtype=torch.bfloat16):
            answer = self.network(images)
        loss, parts = nucleus_loss(answer.float(), targets)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        self.crops += len(images)
        self.follow(min(AVERAGE, (1 + self.steps) / (10 + self.steps)))
        return parts

    @torch.no_grad()
    def follow(self, keep: float) -> None:
        """Moves the averaged weights slightly toward the trained ones."""
        mine, theirs = list(self.average.state_dict().values()), list(self.network.state_dict().values())
        floating = [k for k, value in enumerate(mine) if value.dtype.is_floating_point]
        torch._foreach_lerp_([mine[k] for k in floating], [theirs[k] for k in floating], 1 - keep)

    def save(self, path: Path, seconds: float) -> None:
        facts = {"steps": self.earlier + self.steps, "crops": self.crops, "earlier": self.earlier, "seconds": round(seconds), "device": self.device}
        temporary = path.with_suffix(".part")
        state = {
            "weights": self.average.state_dict(),
            "trained": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "channels": self.network.channels,
            "facts": facts,
        }
        torch.save(state, temporary)
        os.replace(temporary, path)
        path.with_suffix(".json").write_text(json.dumps(facts) + "\n")

    def load(self, path: Path, new_phase: bool) -> float:
        """Resumes from a checkpoint; returns the seconds it had taken."""
        state = torch.load(path, map_location=self.device)
        self.network.load_state_dict(state["weights" if new_phase else "trained"])
        self.average.load_state_dict(state["weights"])
        facts = state["facts"]
        self.crops = facts["crops"]
        self.earlier = facts["steps"] if new_phase else facts.get("earlier", 0)
        if new_phase:
            return 0.0
        self.steps = facts["steps"] - self.earlier
        self.optimizer.load_state_dict(state["optimizer"])
        return facts["seconds"]


def load_network(path: Path, device: str = "cpu") -> tuple[NucleusNetwork, dict[str, object]]:
    """The averaged weights of a checkpoint, in evaluation mode."""
    checkpoint = torch.load(path, map_location=device)
    network = NucleusNetwork(tuple(checkpoint["channels"])).to(device).eval()
    network.load_state_dict(checkpoint["weights"])
    return network, checkpoint["facts"]


def produce(queue: multiprocessing.Queue, examples: list[Example], textures: dict, seed: int, scale: float) -> None:
    """Fills the queue with batches, in a separate process, because painting a batch is CPU-bound."""
    torch.set_num_threads(1)
    device = training_device()
    sampler = Sampler(examples, Textures(textures, device), Dice(device, seed), scale)
    while True:
        batch = sampler.batch()
        queue.put((batch.images.half(), batch.targets))


def turned(planes: torch.Tensor, turn: int) -> torch.Tensor:
    """One of the eight symmetries of a square: mirrored left-right (1), upside down (2), with x and y swapped (4)."""
    if turn & 4:
        planes = planes.transpose(-1, -2)
    axes = [axis for bit, axis in ((1, -1), (2, -2)) if turn & bit]
    return planes.flip(axes) if axes else planes


def turned_maps(maps: torch.Tensor, turn: int) -> torch.Tensor:
    """The same for planes of which the third and fourth are x and y of a vector."""
    maps = turned(maps, turn).clone()
    if turn & 4:
        maps[:, [2, 3]] = maps[:, [3, 2]]
    if turn & 1:
        maps[:, 2] *= -1
    if turn & 2:
        maps[:, 3] *= -1
    return maps


def training_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def train(queue: multiprocessing.Queue, learner: Learner, path: Path, seconds: float, before: float, device: str, step: int,
          ways: int) -> None:
    start: float | None = None
    logged = saved = time.monotonic()
    sums: torch.Tensor | float = 0.0
    since = batches = 0
    while True:
        images, targets = queue.get()
        now = time.monotonic()
        if start is None:
            start = now - before
        done = (now - start) / seconds
        if done >= 1:
            break
        # A painted crop costs more than a step, so each is reused, rotated or mirrored.
        for which in (0, *random.sample(range(1, 8), ways - 1)):
            shown, answers = turned(images.float(), which), turned_maps(targets, which)
            # Crops are sorted by look; shuffle so that every step sees all kinds.
            for part in torch.randperm(len(images), device=images.device).split(step):
                crops = shown[part].contiguous(memory_format=torch.channels_last)
                sums = sums + learner.learn(crops, answers[part], done)
                since += 1
        batches += 1
        if device == "cuda" and batches % 2 == 0:
            # Measure completed work, not queued work.
            torch.cuda.synchronize()
        if now - logged > LOG_SECONDS:
            shown = " ".join(f"{part:.4f}" for part in (sums / since).tolist())
            print(f"{now - start:.0f} s, {learner.crops} crops, {since / (now - logged):.1f} steps/s: {shown}", flush=True)
            sums, since, logged = 0.0, 0, now
        if now - saved > CHECKPOINT_SECONDS:
            learner.save(path, now - start)
            saved = now
    learner.save(path, time.monotonic() - start)
    print(f"done: {learner.steps} steps, {learner.crops} crops", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with the open data sets")
    parser.add_argument("--rendered", type=Path, help="folder written by training.rendered_tissue")
    parser.add_argument("--bundle", type=Path, help="file written by training.bundle, instead of the two folders")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--start", type=Path, help="checkpoint with the initial weights")
    parser.add_argument("--rate", type=float, default=4e-3, help="peak learning rate")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the crops painted at a time")
    parser.add_argument("--step", type=int, default=128, help="maximum number of crops per optimizer step")
    parser.add_argument("--ways", type=int, default=2, help="how many of the eight orientations of each painted crop to learn from")
    parser.add_argument("--producers", type=int, default=1, help="processes that cut and paint crops")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads without a GPU")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    workers = min(16, os.cpu_count() or 1)
    textures = texture_bank(24 if workers > 4 else 6, workers)
    examples = learned(arguments.bundle, arguments.data, arguments.rendered, arguments.out)
    # Fork before this process uses the GPU or starts threads, neither of which survives a fork.
    context = multiprocessing.get_context("fork")
    queue = context.Queue(4)
    for k in range(arguments.producers):
        given = (queue, examples, textures, 1000 * arguments.seed + k, arguments.scale)
        context.Process(target=produce, args=given, daemon=True).start()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    torch.backends.cudnn.benchmark = True
    device = training_device()
    learner = Learner(NucleusNetwork(), arguments.rate, device)
    path = arguments.out / "checkpoint.pt"
    before = 0.0
    if path.exists():
        before = learner.load(path, new_phase=False)
    elif arguments.start:
        learner.load(arguments.start, new_phase=True)
    print(f"{len(examples)} examples, {device}", flush=True)
    train(queue, learner, path, 60 * arguments.minutes, before, device, arguments.step, arguments.ways)


def learned(bundle: Path | None, data: Path | None, rendered: Path | None, out: Path) -> list[Example]:
    """All training data, real, rendered, and drawn."""
    if bundle:
        examples = unpack(bundle)
    else:
        found = load_examples(data, rendered)
        write_held_out(found, out / "held-out-images.json")
        examples = [e for e in found if not e.held_out]
    return examples + drawn_examples(DRAWN)


if __name__ == "__main__":
    cv2.setNumThreads(0)
    main()
