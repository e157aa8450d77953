import { writeFile } from "node:fs/promises";
import {
  quadraticTerms,
  termsOf,
  type QuadraticScore,
} from "@stipple/pipeline/steps/2-morphological-analysis/quadratic-score";

/** A row of features with its target score and weight. */
export interface Example {
  features: Float32Array;
  goal: number;
  weight: number;
}

const RIDGE = 1e-4;

/** A candidate's target score from its intersection over union with the best true nucleus. */
export function goalOf(intersectionOverUnion: number): number {
  return Math.min(1, Math.max(0, (intersectionOverUnion - 0.25) / 0.5));
}

/** Weighted ridge regression of a quadratic function by Cholesky. O(examples · terms²). */
export function fitQuadratic(examples: readonly Example[], penalty = RIDGE): QuadraticScore {
  const scale = standardized(examples);
  const n = termsOf(scale.low.length);
  const normal = new Float64Array(n * n);
  const x = new Float64Array(n);
  const terms = new Float64Array(n);
  let total = 0;
  for (const { features, goal, weight } of examples) {
    total += weight;
    quadraticTerms(features, 0, scale, terms);
    for (let a = 0; a < n; a++) {
      x[a] += weight * terms[a] * goal;
      for (let b = 0; b <= a; b++) normal[a * n + b] += weight * terms[a] * terms[b];
    }
  }
  for (let a = 0; a < n; a++) normal[a * n + a] += total * (a === 0 ? 1e-9 : penalty);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = normal[i * n + j];
      for (let k = 0; k < j; k++) sum -= normal[i * n + k] * normal[j * n + k];
      normal[i * n + j] = i === j ? Math.sqrt(sum) : sum / normal[j * n + j];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= normal[i * n + k] * x[k];
    x[i] /= normal[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= normal[k * n + i] * x[k];
    x[i] /= normal[i * n + i];
  }
  return { ...scale, weights: [...x] };
}

function standardized(examples: readonly Example[]): Omit<QuadraticScore, "weights"> {
  const scale = {
    low: [] as number[],
    high: [] as number[],
    centre: [] as number[],
    spread: [] as number[],
  };
  for (let f = 0; f < examples[0].features.length; f++) {
    const column = Float64Array.from(examples, ({ features }) => features[f]).sort();
    const low = column[Math.floor(0.002 * column.length)];
    const high = column[Math.floor(0.998 * column.length)];
    let sum = 0;
    let squares = 0;
    for (const value of column) {
      const clipped = Math.min(high, Math.max(low, value));
      sum += clipped;
      squares += clipped * clipped;
    }
    const mean = sum / column.length;
    scale.low.push(low);
    scale.high.push(high);
    scale.centre.push(mean);
    scale.spread.push(Math.sqrt(Math.max(1e-9, squares / column.length - mean * mean)));
  }
  return scale;
}

/** Writes a fitted function as a TypeScript file. */
export async function writeScore(path: string, by: string, score: QuadraticScore): Promise<void> {
  const list = (numbers: readonly number[]): string =>
    numbers.map((value) => String(Number(value.toPrecision(4)))).join(", ");
  const constant = (name: string, words: string, numbers: readonly number[]): string =>
    `/** ${words} */\nexport const ${name}: readonly number[] = [${list(numbers)}];\n`;
  await writeFile(
    path,
    [
      `// Written by bench/${by}; docs/methods/2-morphological-analysis.md names the data behind it.\n`,
      constant("LOW", "0.2 percentile of each feature: smaller values count as this.", score.low),
      constant("HIGH", "99.8 percentile of each feature: larger values count as this.", score.high),
      constant("CENTRE", "Mean of each feature.", score.centre),
      constant("SPREAD", "Standard deviation of each feature.", score.spread),
      constant("WEIGHTS", "One a term, in the order of quadraticTerms.", score.weights),
    ].join("\n"),
  );
}
