"""Which images are held out from training.

Tiles of one slide look alike, so whole fields are held out, not single tiles. The masks do not state which
tiles belong together, so tiles whose edges continue into one another are grouped.
"""

from collections import defaultdict

import numpy as np

# A seam must differ no more than adjacent pixel lines do, and far less than the texture.
SEAM_TO_LINES = 1.7
SEAM_TO_TEXTURE = 0.35
SEAM_CORRELATION = 0.9
HELD_OUT_FRACTION = 0.2
SPLIT_SEED = 20261121


def fields_by_seams(images: list[np.ndarray]) -> list[int]:
    """The field of each image: the same number for tiles joined by a chain of seams. Images are H × W × 3, uint8."""
    parent = list(range(len(images)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    by_shape = defaultdict(list)
    for k, image in enumerate(images):
        by_shape[image.shape].append(k)
    for members in by_shape.values():
        stack = np.stack([images[k] for k in members]).astype(np.float32)
        for last, inner, first, second in (
            (stack[:, :, -1], stack[:, :, -2], stack[:, :, 0], stack[:, :, 1]),
            (stack[:, -1], stack[:, -2], stack[:, 0], stack[:, 1]),
        ):
            ends, begins = (edge.reshape(len(members), -1) for edge in (last, first))
            steps_end = np.abs(last - inner).reshape(len(members), -1).mean(1)
            steps_begin = np.abs(first - second).reshape(len(members), -1).mean(1)
            for a in range(len(members)):
                difference = np.abs(ends[a] - begins).mean(1)
                for b in np.argsort(difference)[:2]:
                    texture = (ends[a].std() + begins[b].std()) / 2
                    limit = SEAM_TO_LINES * (steps_end[a] + steps_begin[b]) / 2 + 0.3
                    if (
                        a != b
                        and difference[b] < min(limit, SEAM_TO_TEXTURE * texture)
                        and np.corrcoef(ends[a], begins[b])[0, 1] > SEAM_CORRELATION
                    ):
                        parent[root(members[a])] = root(members[b])
    return [root(k) for k in range(len(images))]


def held_out(strata: dict[str, str], fields: dict[str, str]) -> set[str]:
    """About a fifth of each stratum, in whole fields. Keys are image names; a field of over 35% stays in training."""
    members = defaultdict(lambda: defaultdict(list))
    for name, stratum in strata.items():
        members[stratum][fields[name]].append(name)
    rng = np.random.default_rng(SPLIT_SEED)
    chosen: set[str] = set()
    for stratum in sorted(members):
        groups = [sorted(names) for _, names in sorted(members[stratum].items())]
        total = sum(map(len, groups))
        taken = 0
        for k in rng.permutation(len(groups)):
            size = len(groups[k])
            if size <= 0.35 * total and taken + size <= max(1, 1.25 * HELD_OUT_FRACTION * total):
                chosen.update(groups[k])
                taken += size
    return chosen
