import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Places } from "../capture/capture-array.ts";
import {
  selectRows,
  writeFeatureH5,
  writeMex,
  type FeatureMatrix,
} from "../write/feature-matrix.ts";
import { writeSpatial } from "../write/spatial.ts";
import type { PlatformSimulator } from "./platform-simulator.ts";

/** Files in Space Ranger's format; `folderOf` gives the folder of an array. */
export function spaceRangerFiles(
  folderOf: (out: string, array: Places) => string,
): Pick<PlatformSimulator, "writeCounts" | "writePositions"> {
  return {
    /**
     * The filtered matrix (spots under tissue) in both formats and the raw one as HDF5, with sorted barcodes.
     */
    async writeCounts(out, { array, counts }, genes, genome, formats = "all") {
      const folder = folderOf(out, array);
      await mkdir(folder, { recursive: true });
      const sorted = Array.from({ length: array.count }, (_, spot) => spot).sort((a, b) =>
        array.barcode[a] < array.barcode[b] ? -1 : 1,
      );
      const matrixOf = (rows: readonly number[]): FeatureMatrix => ({
        barcodes: rows.map((spot) => array.barcode[spot]),
        genes,
        genome,
        counts: selectRows(counts, rows),
      });
      const filtered = matrixOf(sorted.filter((spot) => array.inTissue[spot] === 1));
      await writeFeatureH5(join(folder, "filtered_feature_bc_matrix.h5"), filtered);
      if (formats === "all") {
        await writeMex(join(folder, "filtered_feature_bc_matrix"), filtered);
        await writeFeatureH5(join(folder, "raw_feature_bc_matrix.h5"), matrixOf(sorted));
      }
      return {
        nSpots: filtered.barcodes.length,
        totalCounts: filtered.counts.data.reduce((sum, value) => sum + value, 0),
      };
    },
    writePositions: (out, array, raster, { umPerPx }) =>
      writeSpatial(join(folderOf(out, array), "spatial"), array, raster, umPerPx),
  };
}
