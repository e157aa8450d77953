import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import type { Rates } from "../model/rates.ts";
import type { SamplePart } from "./choose-part.ts";
import { drawSpots, spotComponents } from "./draw-spots.ts";

/** The fitted model of the sample; see the fields of step 4. */
export interface FittedSample {
  membership: Matrix<Float32Array>;
  profile: Matrix<Float32Array>;
  efficiency: Float32Array;
  rates: Rates;
}

/** A synthetic sample on the real one's cells and spots, in which every cell's expression is known. */
export interface Twin {
  /** nSpots × nGenes, counts of the twin's spots. */
  counts: SparseMatrix;
  /** Ten leading components of the spots' log-normalized counts. */
  spotPca: Matrix<Float32Array>;
  /** Known counts of the cells, nCells × nGenes row-major. */
  truth: Uint16Array;
  /** The rates they were drawn from. */
  rate: Float32Array;
}

/** Shape of the gamma distribution of RNA amounts among cells of one kind (a coefficient of variation of 0.45). */
const RNA_SHAPE = 5;
/** Rows of rates computed at a time. */
const CHUNK = 256;

/**
 * Draws the twin. Each cell becomes one of the model's prototypes, with the probability of its membership, so that
 * whatever its look does not determine stays random; its rate is the prototype's profile, updated with the counts of
 * the sample's own spots, times a gamma-distributed amount of RNA. Cell counts are Poisson with that rate; spots
 * collect the rates through the fitted overlap and efficiency and are Poisson again. Depth, density, bleed, and lattice
 * are those of the sample. Seeded. O(cells · genes · prototypes + overlap entries · genes).
 */
export async function drawTwin(
  sample: FittedSample,
  part: SamplePart,
  genes: Uint32Array,
  seed: number,
): Promise<Twin> {
  const random = new Random(seed);
  const n = genes.length;
  const { membership, profile, efficiency, rates } = sample;
  const k = membership.nCols;
  const rate = new Float32Array(part.cells.length * n);
  const truth = new Uint16Array(rate.length);
  const expected = new Float64Array(n);
  for (let start = 0; start < part.cells.length; start += CHUNK) {
    const end = Math.min(part.cells.length, start + CHUNK);
    const inferredOf = await rates.rows(part.cells.subarray(start, end), genes);
    for (let i = start; i < end; i++) {
      const cell = part.cells[i];
      const inferred = inferredOf.subarray((i - start) * n, (i - start + 1) * n);
      const members = membership.data.subarray(cell * k, (cell + 1) * k);
      expected.fill(0);
      for (let j = 0; j < k; j++) {
        if (members[j] < 1e-8) continue;
        for (let g = 0; g < n; g++) {
          expected[g] += members[j] * profile.data[j * profile.nCols + genes[g]];
        }
      }
      const kind = draw(members, random);
      const rna = random.gamma(RNA_SHAPE) / RNA_SHAPE;
      for (let g = 0; g < n; g++) {
        const moved = expected[g] > 0 ? inferred[g] / expected[g] : 1;
        const value = rna * moved * profile.data[kind * profile.nCols + genes[g]];
        rate[i * n + g] = value;
        truth[i * n + g] = Math.min(65_535, random.poisson(value));
      }
    }
  }
  const ofSpots = Float32Array.from(part.spots, (spot) => efficiency[spot]);
  const counts = drawSpots(random, part.overlap, rate, n, ofSpots);
  return { counts, spotPca: spotComponents(counts), truth, rate };
}

/** Index drawn with probability proportional to its weight. */
function draw(weights: Float32Array, random: Random): number {
  let total = 0;
  for (const weight of weights) total += weight;
  let left = random.uniform() * total;
  for (let j = 0; j < weights.length; j++) {
    left -= weights[j];
    if (left < 0) return j;
  }
  return weights.length - 1;
}
