/** Adjusted Rand index of two labelings (Hubert & Arabie 1985): 1 = same partition, about 0 = unrelated. O(n). */
export function adjustedRandIndex(
  a: ArrayLike<string | number>,
  b: ArrayLike<string | number>,
): number {
  const n = a.length;
  const joint = new Map<string, number>();
  const left = new Map<string | number, number>();
  const right = new Map<string | number, number>();
  for (let i = 0; i < n; i++) {
    const key = `${a[i]}\u0000${b[i]}`;
    joint.set(key, (joint.get(key) ?? 0) + 1);
    left.set(a[i], (left.get(a[i]) ?? 0) + 1);
    right.set(b[i], (right.get(b[i]) ?? 0) + 1);
  }
  const pairs = (counts: Iterable<number>): number => {
    let sum = 0;
    for (const count of counts) sum += (count * (count - 1)) / 2;
    return sum;
  };
  const both = pairs(joint.values());
  const inLeft = pairs(left.values());
  const inRight = pairs(right.values());
  const total = (n * (n - 1)) / 2;
  const expected = total > 0 ? (inLeft * inRight) / total : 0;
  const most = (inLeft + inRight) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

export interface LabelScore {
  /** Mean F1 over the labels of the truth. */
  macroF1: number;
  perLabel: Record<string, { f1: number; precision: number; recall: number; count: number }>;
}

/** F1 of each label in the truth; a prediction not among them (or null, a missed cell) is a miss. O(n). */
export function macroF1(
  truth: readonly string[],
  predicted: readonly (string | null)[],
): LabelScore {
  const perLabel: LabelScore["perLabel"] = {};
  for (const label of [...new Set(truth)].sort()) {
    let hits = 0;
    let said = 0;
    let count = 0;
    truth.forEach((known, i) => {
      if (known === label) count++;
      if (predicted[i] === label) said++;
      if (known === label && predicted[i] === label) hits++;
    });
    perLabel[label] = {
      f1: said + count > 0 ? (2 * hits) / (said + count) : 0,
      precision: said > 0 ? hits / said : 0,
      recall: count > 0 ? hits / count : 0,
      count,
    };
  }
  const scores = Object.values(perLabel);
  const sum = scores.reduce((total, { f1 }) => total + f1, 0);
  return { macroF1: scores.length > 0 ? sum / scores.length : 0, perLabel };
}
