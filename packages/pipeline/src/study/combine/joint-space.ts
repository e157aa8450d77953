import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { cellOfName } from "../../exports/cell-names.ts";
import { categoryColors } from "../../figures/palette.ts";

/** Where the cells of a combined study are in one space; NaN and −1 for those with too few counts to be placed. */
export interface JointSpace {
  /** nCells × 2, as corrected and before. */
  umap: { corrected: Float32Array; uncorrected: Float32Array };
  cluster: Int32Array;
  /** Names of the clusters, and a color for each. */
  clusters: { name: string; color: string }[];
}

/** Rows read at a time: memory is that of these and of the result. */
const ROWS = 100_000;
const COLUMNS = ["umap_1", "umap_2", "corrected_umap_1", "corrected_umap_2"] as const;

type Row = { sample: string; cell: string; cluster: number } & Record<
  (typeof COLUMNS)[number],
  number
>;

/** Column of obs with the joint clusters. */
export const JOINT_CLUSTER = "joint_cluster";

/** Reads the table of cells that `writeSpace` has written. Throws {@link InputError} if it is of other samples. */
export async function readJointSpace(
  path: string,
  samples: readonly { name: string; nCells: number; firstCell: number }[],
  signal: AbortSignal,
): Promise<JointSpace> {
  const nCells = samples.reduce((sum, sample) => sum + sample.nCells, 0);
  const space: JointSpace = {
    umap: {
      corrected: new Float32Array(2 * nCells).fill(Number.NaN),
      uncorrected: new Float32Array(2 * nCells).fill(Number.NaN),
    },
    ...{ cluster: new Int32Array(nCells).fill(-1), clusters: [] },
  };
  const byName = new Map(samples.map((sample) => [sample.name, sample]));
  const seen = new Set<string>();
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let nClusters = 0;
  for (let from = 0; from < metadata.num_rows; from += ROWS) {
    const range = { rowStart: from, rowEnd: Math.min(Number(metadata.num_rows), from + ROWS) };
    const columns = ["sample", "cell", "cluster", ...COLUMNS];
    for (const row of (await parquetReadObjects({ file, metadata, columns, ...range })) as Row[]) {
      const sample = byName.get(row.sample);
      // The study may hold fewer samples than were placed.
      if (!sample) continue;
      const own = cellOfName(row.cell);
      if (!(own >= 0 && own < sample.nCells)) throw unlike(row.sample);
      const cell = sample.firstCell + own;
      space.umap.uncorrected.set([row.umap_1, row.umap_2], 2 * cell);
      space.umap.corrected.set([row.corrected_umap_1, row.corrected_umap_2], 2 * cell);
      space.cluster[cell] = row.cluster;
      nClusters = Math.max(nClusters, row.cluster + 1);
      seen.add(row.sample);
    }
    throwIfCancelled(signal);
  }
  const missing = samples.find(({ name }) => !seen.has(name));
  if (missing) throw unlike(missing.name);
  const colors = categoryColors(nClusters);
  space.clusters = colors.map((color, i) => ({ name: String(i), color }));
  return space;
}

function unlike(sample: string): InputError {
  return new InputError(
    `The joint space does not hold the cells of ${sample} as they are now: place the samples again with "stipple study embed".`,
  );
}
