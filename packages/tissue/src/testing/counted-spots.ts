import { join } from "node:path";
import { readPositions, readTextMatrix } from "@stipple/pipeline/samples";
import type { CountedSpots } from "./transcriptome-figures.ts";

/** The spots under tissue of a Visium sample in Space Ranger's layout. */
export async function readCountedSpots(folder: string): Promise<CountedSpots> {
  const matrix = join(folder, "filtered_feature_bc_matrix");
  const { barcode, counts } = await readTextMatrix(
    {
      matrix: join(matrix, "matrix.mtx.gz"),
      barcodes: join(matrix, "barcodes.tsv.gz"),
      features: join(matrix, "features.tsv.gz"),
    },
    { keep: (all) => new Uint8Array(all.length).fill(1) },
  );
  const positions = await readPositions({
    path: join(folder, "spatial", "tissue_positions.csv"),
    format: "csv",
  });
  const at = new Map(positions.barcode.map((name, i) => [name, i]));
  const of = barcode.map((name) => at.get(name)!);
  // Neighbors in a row are two columns apart; rows are one triangle height apart.
  return {
    counts,
    x: of.map((i) => positions.arrayCol[i] / 2),
    y: of.map((i) => positions.arrayRow[i] * Math.sqrt(0.75)),
  };
}
