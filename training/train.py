"""Trains the network and writes a checkpoint every few minutes.

    python -m training.train --data DIR --rendered DIR --out FOLDER --minutes 68

The learning rate follows the elapsed time, so the run ends well on any machine; a faster one simply sees more crops.
"""

import argparse
import copy
import json
import math
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset

from .augment import NEGATIVE_FLUORESCENCE, NEGATIVE_HE, sample
from .dataset import Example, load_examples, write_held_out
from .loss import nucleus_loss
from .network import CHANNELS, NucleusNetwork
from .texture import TextureBank

BATCH = 16
PEAK_RATE = 3e-3
WEIGHT_DECAY = 0.02
AVERAGE = 0.998
WARM_UP = 0.03  # of the time
CHECKPOINT_SECONDS = 150
LOG_SECONDS = 30

# Share of the crops: where they come from, and how they are shown.
SOURCES = (
    (0.28, "he-breast", "own"),
    (0.19, "he-like", "own"),
    (0.04, "purple-gray", "own"),
    (0.17, "fluorescence", "own"),
    (0.06, "fluorescence", "he"),
    (0.04, "fluorescence", "repaint"),
    (0.03, "he-like", "repaint"),
    (0.02, "rendered-he", "repaint"),
    (0.08, "rendered-he", "own"),
    (0.05, "rendered-if", "own"),
    (0.03, NEGATIVE_HE, "own"),
    (0.01, NEGATIVE_FLUORESCENCE, "own"),
)


class Crops(IterableDataset):
    """Endless training pairs; each worker draws its own."""

    def __init__(self, examples: list[Example], seed: int) -> None:
        self.examples = examples
        self.seed = seed

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        bank = TextureBank(self.seed)
        pools = []
        for share, group, look in SOURCES:
            members = [e for e in self.examples if e.group == group]
            # A tile full of nuclei teaches more than one with three.
            odds = np.array([0.5 + math.sqrt(len(e.centres)) for e in members])
            if members:
                pools.append((share, members, odds / odds.sum(), look))
            elif group in (NEGATIVE_HE, NEGATIVE_FLUORESCENCE):
                pools.append((share, [group], np.ones(1), look))
        shares = np.array([pool[0] for pool in pools])
        while True:
            _, members, odds, look = pools[rng.choice(len(pools), p=shares / shares.sum())]
            yield sample(members[rng.choice(len(members), p=odds)], look, bank, rng)


def learning_rate(done: float) -> float:
    """done: fraction of the time that has gone by."""
    if done < WARM_UP:
        return PEAK_RATE * min(1.0, done / WARM_UP + 0.02)
    return PEAK_RATE * 0.5 * (1 + math.cos(math.pi * (done - WARM_UP) / (1 - WARM_UP))) + 1e-6


def train(examples: list[Example], out: Path, minutes: float, threads: int, seed: int) -> None:
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    workers = 1 if device == "cpu" else min(12, os.cpu_count() or 1)
    learned = [example for example in examples if not example.held_out]
    print(f"{len(learned)} images to learn from, {len(examples) - len(learned)} held out", flush=True)
    loader = DataLoader(Crops(learned, seed), batch_size=BATCH, num_workers=workers, prefetch_factor=6)
    network = NucleusNetwork().to(device, memory_format=torch.channels_last).train()
    average = copy.deepcopy(network).eval()
    shaped = [p for p in network.parameters() if p.ndim > 1]
    flat = [p for p in network.parameters() if p.ndim <= 1]
    groups = [{"params": shaped, "weight_decay": WEIGHT_DECAY}, {"params": flat, "weight_decay": 0}]
    optimizer = torch.optim.AdamW(groups, lr=PEAK_RATE)
    start = logged = saved = time.monotonic()
    sums: dict[str, float] = {}
    step = since = 0
    for images, targets in loader:
        now = time.monotonic()
        done = (now - start) / (60 * minutes)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(done)
        images = images.to(device).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, dtype=torch.bfloat16):
            answer = network(images)
        loss, parts = nucleus_loss(answer.float(), targets.to(device))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        step += 1
        since += 1
        follow(average, network, min(AVERAGE, (1 + step) / (10 + step)))
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + value
        if now - logged > LOG_SECONDS:
            shown = " ".join(f"{name} {value / since:.4f}" for name, value in sums.items())
            print(f"{(now - start) / 60:.1f} min, step {step}: {shown}", flush=True)
            sums, since, logged = {}, 0, now
        if now - saved > CHECKPOINT_SECONDS:
            save(average, out / "checkpoint.pt", step, now - start, device)
            saved = now
    save(average, out / "checkpoint.pt", step, time.monotonic() - start, device)
    print(f"done: {step} steps, {step * BATCH} crops", flush=True)


@torch.no_grad()
def follow(average: torch.nn.Module, network: torch.nn.Module, keep: float) -> None:
    """Moves the averaged weights a little towards the trained ones."""
    for mine, theirs in zip(average.state_dict().values(), network.state_dict().values()):
        if mine.dtype.is_floating_point:
            mine.lerp_(theirs, 1 - keep)
        else:
            mine.copy_(theirs)


def save(network: torch.nn.Module, path: Path, step: int, seconds: float, device: str) -> None:
    facts = {"steps": step, "crops": step * BATCH, "seconds": round(seconds), "device": device}
    temporary = path.with_suffix(".part")
    torch.save({"weights": network.state_dict(), "channels": CHANNELS, "facts": facts}, temporary)
    os.replace(temporary, path)
    path.with_suffix(".json").write_text(json.dumps(facts) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the open data sets")
    parser.add_argument("--rendered", type=Path, help="folder written by training.rendered_tissue")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--minutes", type=float, default=68)
    parser.add_argument("--threads", type=int, default=1, help="for the network; the crops take one more core")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    # A forked worker inherits OpenCV's thread pool without its threads and would wait for them for ever.
    cv2.setNumThreads(0)
    arguments.out.mkdir(parents=True, exist_ok=True)
    found = load_examples(arguments.data, arguments.rendered)
    write_held_out(found, arguments.out / "held-out-images.json")
    train(found, arguments.out, arguments.minutes, arguments.threads, arguments.seed)
