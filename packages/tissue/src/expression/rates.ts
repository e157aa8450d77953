import { Random } from "@stipple/pipeline/numerics/random";
import type { Matrix, SparseMatrix } from "@stipple/pipeline/fields";
import { Noise } from "../anatomy/noise.ts";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissuePlan } from "../catalogue/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import type { Gene } from "./genes.ts";

/** Shape of the gamma variable that varies the amount of RNA among cells of a kind. */
const LIBRARY_SHAPE = 5;
/** Length over which the programmes change, µm. */
const PROGRAMME_UM = 170;

/**
 * Noise-free rate of every gene in every cell (cells × genes, expected counts of a fully captured cell):
 * amount of RNA (kind × gamma) × profile of the kind × effect of the domain × programme. Not yet scaled to a depth.
 */
export function expressionRates(
  plan: TissuePlan,
  genes: readonly Gene[],
  cells: Cells,
  options: TissueOptions,
): Matrix<Float32Array> {
  const random = new Random(options.seed + 8 * 2 ** 32);
  const profiles = kindProfiles(plan, genes, random);
  const domains = domainEffects(plan, genes, random);
  const nGenes = genes.length;
  const fields = plan.programmes.map((_programme, index) => new Noise(options.seed, 40 + index));
  const data = new Float32Array(cells.count * nGenes);
  for (let cell = 0; cell < cells.count; cell++) {
    const kind = cells.kind[cell]!;
    const library = (plan.kinds[kind]!.rna * random.gamma(LIBRARY_SHAPE)) / LIBRARY_SHAPE;
    const factors = plan.programmes.map((programme, index) =>
      Math.exp(
        2 *
          programme.amplitude *
          fields[index]!.fractal(cells.x[cell]! / PROGRAMME_UM, cells.y[cell]! / PROGRAMME_UM, 2),
      ),
    );
    const mitochondrial = Math.exp(0.3 * random.normal());
    const profile = profiles[kind]!;
    const domain = domains[cells.domain[cell]!]!;
    for (let gene = 0; gene < nGenes; gene++) {
      const { programme, role } = genes[gene]!;
      let rate = library * profile[gene]! * domain[gene]!;
      if (programme >= 0) rate *= factors[programme]!;
      if (role === "mitochondrial") rate *= mitochondrial;
      data[cell * nGenes + gene] = rate;
    }
  }
  return { nRows: cells.count, nCols: nGenes, data };
}

/** Share of a cell's RNA that each gene has in each kind; sums to 1 a kind. */
function kindProfiles(plan: TissuePlan, genes: readonly Gene[], random: Random): Float64Array[] {
  const level = genes.map(({ role }) => {
    const spread = Math.exp(0.8 * random.normal());
    switch (role) {
      case "marker":
        return 0.9 * spread;
      case "mitochondrial":
        return 9 * Math.exp(0.4 * random.normal());
      case "variable":
      case "programme":
        return 1.1 * spread;
      case "housekeeping":
        return 0.9 * spread;
    }
  });
  return plan.kinds.map((_kind, k) => {
    const profile = Float64Array.from(genes, (gene, g) => {
      switch (gene.role) {
        case "marker":
          // A marker of several kinds is shared unevenly; elsewhere a trace remains.
          return (
            level[g]! *
            (gene.markerOf.includes(k)
              ? 5 * Math.exp(0.35 * random.normal())
              : 0.06 * Math.exp(0.6 * random.normal()))
          );
        case "variable":
          return level[g]! * Math.exp(0.75 * random.normal());
        case "programme":
          return level[g]! * Math.exp(0.4 * random.normal());
        default:
          return level[g]! * Math.exp(0.12 * random.normal());
      }
    });
    const total = profile.reduce((sum, value) => sum + value, 0);
    return profile.map((value) => value / total);
  });
}

function domainEffects(plan: TissuePlan, genes: readonly Gene[], random: Random): Float64Array[] {
  return plan.domains.map(() =>
    Float64Array.from(genes, ({ role }) => {
      const sigma = role === "variable" ? 0.4 : role === "marker" ? 0.2 : 0.08;
      return Math.exp(sigma * random.normal());
    }),
  );
}

/** Expected counts of each spot (spots × genes, row-major): capture × rates. O(nnz of capture × genes). */
export function expectedSpotCounts(
  capture: SparseMatrix,
  rates: Matrix<Float32Array>,
): Float64Array {
  const nGenes = rates.nCols;
  const expected = new Float64Array(capture.nRows * nGenes);
  for (let spot = 0; spot < capture.nRows; spot++) {
    const row = expected.subarray(spot * nGenes, (spot + 1) * nGenes);
    for (let k = capture.indptr[spot]!; k < capture.indptr[spot + 1]!; k++) {
      const weight = capture.data[k]!;
      const at = capture.indices[k]! * nGenes;
      for (let gene = 0; gene < nGenes; gene++) row[gene]! += weight * rates.data[at + gene]!;
    }
  }
  return expected;
}

/** Independent Poisson counts of the given means (rows × columns), kept sparse. */
export function poissonCounts(
  means: { data: Float32Array | Float64Array; nRows: number; nCols: number },
  random: Random,
): SparseMatrix {
  const { nRows, nCols } = means;
  const indptr = new Uint32Array(nRows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let row = 0; row < nRows; row++) {
    for (let column = 0; column < nCols; column++) {
      const count = random.poisson(means.data[row * nCols + column]!);
      if (count === 0) continue;
      indices.push(column);
      data.push(count);
    }
    indptr[row + 1] = indices.length;
  }
  return {
    nRows,
    nCols,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}
