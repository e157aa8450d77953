import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { SpatialStatistics } from "@stipple/contract/statistical-facts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { rowSums } from "@stipple/numerics/sparse";
import { analyzeInSpace } from "@stipple/pipeline/internal/steps/6-projection-analysis/spatial-statistics/analyze-in-space";
import { testedCells } from "@stipple/pipeline/internal/steps/6-projection-analysis/spatial-statistics/tested-cells";

const SIDE = 18;
const SPACING_UM = 10;
/** A ligand and its receptor known to the pipeline. */
const SIGNAL = ["VEGFA", "KDR"] as const;
const N_GENES = 12;

/**
 * Spatial statistics of a small tissue with three stripes of cells, computed by the pipeline itself, using a sample's
 * type and gene names. The first gene is expressed in the first stripe; a ligand and its receptor in the first and
 * second.
 */
export async function stripeStatistics(manifest: ViewerManifest): Promise<SpatialStatistics> {
  const random = new Random(7);
  const n = SIDE * SIDE;
  const stripeOf = Int32Array.from({ length: n }, (_, cell) =>
    Math.floor((3 * (cell % SIDE)) / SIDE),
  );
  const others = manifest.genes.filter((gene) => !(SIGNAL as readonly string[]).includes(gene));
  const genes = [...SIGNAL, ...others.slice(0, N_GENES - SIGNAL.length)];
  const heldBy = genes.map((_, gene) => (gene < 2 ? gene : gene % 3));
  const rows = Array.from(stripeOf, (stripe) =>
    genes.flatMap((_, gene) => {
      const count = Math.floor((heldBy[gene] === stripe ? 6 : 1.5) * random.uniform() * 2);
      return count > 0 ? [{ gene, count }] : [];
    }),
  );
  const entries = rows.flat();
  const counts: SparseMatrix = {
    nRows: n,
    nCols: genes.length,
    indptr: Uint32Array.of(
      0,
      ...rows.map(
        (
          (sum) => (row) =>
            (sum += row.length)
        )(0),
      ),
    ),
    indices: Uint32Array.from(entries, ({ gene }) => gene),
    data: Float32Array.from(entries, ({ count }) => count),
  };
  const xy: Matrix = matrix(n, 2, (cell, axis) => {
    const place = axis === 0 ? cell % SIDE : Math.floor(cell / SIDE);
    return SPACING_UM * (place + 0.6 * random.uniform());
  });
  const { statistics } = await analyzeInSpace(
    {
      rows: "cell",
      xy,
      micronsPerPixel: 1,
      counts,
      tested: testedCells(rowSums(counts), new Uint8Array(n).fill(1)),
      reliable: new Uint8Array(genes.length).fill(1),
      geneNames: genes,
      geneSymbols: genes,
      species: "human",
      typeOf: stripeOf,
      types: manifest.types
        .slice(0, 3)
        .map((type, stripe) => ({ ...type, count: stripeOf.filter((s) => s === stripe).length })),
      components: matrix(n, 3, (cell, at) => (stripeOf[cell] === at ? 3 : 0) + random.uniform()),
      membership: matrix(n, 3, (cell, at) => (stripeOf[cell] === at ? 0.9 : 0.05)),
    },
    { seed: 1, permutations: 199, signal: new AbortController().signal, progress() {} },
  );
  return statistics;
}

function matrix(
  nRows: number,
  nCols: number,
  value: (row: number, column: number) => number,
): Matrix<Float32Array> {
  const data = new Float32Array(nRows * nCols);
  for (let at = 0; at < data.length; at++) data[at] = value(Math.floor(at / nCols), at % nCols);
  return { nRows, nCols, data };
}
