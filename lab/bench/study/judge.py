"""Mixing and kept types of a joint space, by harmonypy and scikit-learn: python judge.py FOLDER RESULT SAMPLE..."""

import json
import os
import sys

import numpy as np
import pandas as pd
from harmonypy import compute_lisi
from sklearn.metrics import adjusted_rand_score

folder, result, *names = sys.argv[1:]
load = lambda name: np.load(os.path.join(folder, result, name + ".npy"))
types = [np.load(os.path.join(folder, name, "step5_output", "cells.cell_type.npy")) for name in names]
sample = np.repeat(np.arange(len(names)), [len(one) for one in types])
kept = load("kept")
labels = pd.DataFrame({"sample": sample[kept], "type": np.concatenate(types)[kept]})
some = np.random.default_rng(0).permutation(len(labels))[:20000]
shown = {}
for name in ("before", "after"):
    lisi = compute_lisi(load(name)[some], labels.iloc[some].reset_index(drop=True), ["sample", "type"])
    shown[f"ilisi_{name}"], shown[f"clisi_{name}"] = map(float, lisi.mean(axis=0))
shown["ari"] = adjusted_rand_score(labels["type"], load("cluster"))
print(json.dumps(shown))
