import { basename } from "node:path";
import type { Platform } from "@stipple/contract";
import { named } from "@stipple/contract/recognition/candidate";
import { isRaw } from "@stipple/contract/recognition/names";
import type { AlignmentScale } from "../../facts.ts";
import type { SampleFiles } from "../sample-files.ts";
import type { Positions, Sample } from "../sample.ts";
import { matchSpots } from "./match-spots.ts";
import { readScalefactors, type Scalefactors } from "./read-scalefactors.ts";

/** Differences between the platforms whose files are written by Space Ranger. */
export interface SpaceRangerPlatform {
  noun: Platform["spotNoun"];
  /** µm per pixel from positions and scale factors; throws InputError if they are from the other platform. */
  scale(positions: Positions, scalefactors: Scalefactors, file: string): AlignmentScale;
  explainMismatch?: Parameters<typeof matchSpots>[4];
}

/** Opens a sample written by Space Ranger. */
export async function openSpaceRanger(
  files: SampleFiles,
  platform: SpaceRangerPlatform,
): Promise<Sample> {
  // The HDF5 and Parquet readers take tens of megabytes, so they are not loaded just to find files.
  const { readPositions } = await import("./read-positions.ts");
  const notes: string[] = [];
  const note = (message: string): void => void notes.push(message);
  const positions = await readPositions(files.positions, note, platform.noun);
  const scalefactors = await readScalefactors(files.scalefactors, note);
  const positionsFile = basename(files.positions.path);
  const scale = platform.scale(positions, scalefactors, positionsFile);
  const { matrix, otherMatrix = null } = files;
  if (matrix.format === "table") throw new Error("These counts are not Space Ranger's");
  const names = {
    noun: platform.noun,
    positions: positionsFile,
    matrix: basename(matrix.format === "h5" ? matrix.path : matrix.barcodes),
    isRaw: isRaw(named({ path: matrix.format === "h5" ? matrix.path : matrix.matrix })),
  };
  return {
    positions,
    scale: { ...scale, warnings: [...notes, ...scale.warnings] },
    pictures: {
      hires: scalefactors.tissue_hires_scalef,
      lowres: scalefactors.tissue_lowres_scalef,
    },
    words: {
      noun: platform.noun,
      positionsFile,
      countsFile: basename(matrix.format === "h5" ? matrix.path : matrix.matrix),
      counts: "the filtered_feature_bc_matrix of this sample",
      axes: "pxl_row_in_fullres comes before pxl_col_in_fullres",
    },
    async matchCounts() {
      const { readSpots } = await import("./read-counts.ts");
      const barcodes = await readSpots({ matrix, otherMatrix });
      const ignore = (): void => undefined;
      const match = matchSpots(barcodes, positions, names, ignore, platform.explainMismatch);
      const kept = barcodes.filter((_, i) => match.keep[i] === 1);
      return Uint32Array.from(kept, (name) => match.positionOf.get(name)!);
    },
    async readCounts({ warn, ...options }) {
      let positionOf = new Map<string, number>();
      const { readCounts } = await import("./read-counts.ts");
      const counted = await readCounts(
        { matrix, otherMatrix },
        {
          ...options,
          warn,
          keep(barcodes) {
            const match = matchSpots(barcodes, positions, names, warn, platform.explainMismatch);
            positionOf = match.positionOf;
            return match.keep;
          },
        },
      );
      const position = Uint32Array.from(counted.barcode, (name) => positionOf.get(name)!);
      const barcode = counted.barcode.map((name, i) =>
        AS_WRITTEN.test(name) ? name : positions.barcode[position[i]],
      );
      return { ...counted, barcode, position };
    },
  };
}

/** Barcodes as Space Ranger writes them: results have these, so that other programs find them. */
const AS_WRITTEN = /^([ACGT]{16}|s_\d{3}um_\d{5}_\d{5})-\d+$/;
