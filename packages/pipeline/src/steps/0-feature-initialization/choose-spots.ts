import { basename } from "node:path";
import { chooseRows } from "@stipple/numerics/sparse";
import { InputError } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import type { CaptureNoun } from "../../model/row-noun.ts";
import type { PlacedCounts, Positions } from "../../readers/sample.ts";
import { fullSize, insideAny, readRegions } from "../../regions/read-regions.ts";

/** A file of regions whose spots are left out, or alone are kept. */
export interface SpotChoice {
  path: string;
  how: "excluded" | "kept";
  noun: CaptureNoun;
}

/** The error for a file whose regions leave no spots. */
export function noneRemain({ path, how, noun }: SpotChoice): InputError {
  const file = basename(path);
  return new InputError(
    how === "kept"
      ? `No ${noun} in tissue lies in the regions of ${file}: draw around what is to be kept.`
      : `The regions in ${file} exclude every ${noun} in tissue: draw only around what is to be left out.`,
  );
}

/**
 * Counts of the spots that a file of regions leaves, and how many spots have their centers in its regions. Throws
 * InputError if none would remain. O(spots + counts).
 */
export async function chooseSpots(
  counted: PlacedCounts,
  { x, y }: Pick<Positions, "x" | "y">,
  file: SpotChoice,
  image: ImageFacts,
): Promise<{ counted: PlacedCounts; nRegions: number; nSpots: number }> {
  const regions = await readRegions(file.path, fullSize(image));
  const isInside = insideAny(regions);
  const rows = [...counted.position.keys()].filter((spot) => {
    const place = counted.position[spot];
    return isInside(x[place], y[place]) === (file.how === "kept");
  });
  if (rows.length === 0) throw noneRemain(file);
  return {
    nRegions: regions.length,
    nSpots: file.how === "kept" ? rows.length : counted.barcode.length - rows.length,
    counted: {
      ...counted,
      barcode: rows.map((spot) => counted.barcode[spot]),
      counts: chooseRows(counted.counts, rows),
      position: Uint32Array.from(rows, (spot) => counted.position[spot]),
    },
  };
}
