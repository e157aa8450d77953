/** A measured value and its time in seconds. */
export interface Sample {
  at: number;
  value: number;
}

/** Maximum rise of a value over the evaluated period: a share of its median, or `least` if larger. */
export interface Bound {
  share: number;
  least: number;
}

export interface Judged {
  median: number;
  /** Rise over the evaluated period, from the slope below. */
  rise: number;
  allowed: number;
  isFlat: boolean;
}

/** Initial share of the time that is excluded: code is compiled, pools and caches fill. */
export const WARM_UP = 0.3;

/**
 * Whether a value stays flat, by the Theil–Sen slope: the median of the slopes between all pairs, which is robust to
 * peaks and garbage collections. O(n²) for n samples.
 */
export function judge(samples: readonly Sample[], { share, least }: Bound): Judged {
  const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0];
  const judged = samples.filter(({ at }) => at >= first + WARM_UP * (last - first));
  const slopes: number[] = [];
  for (const [i, a] of judged.entries()) {
    for (const b of judged.slice(i + 1)) slopes.push((b.value - a.value) / (b.at - a.at));
  }
  const median = middle(judged.map(({ value }) => value));
  const rise = (middle(slopes) || 0) * (last - (judged[0]?.at ?? last));
  const allowed = Math.max(least, share * median);
  return { median, rise, allowed, isFlat: rise <= allowed };
}

function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
