import { basename } from "node:path";
import { chooseRows } from "@stipple/numerics/sparse";
import { InputError } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import type { PlacedCounts, Positions } from "../../readers/sample.ts";
import { fullSize, insideAny, readRegions } from "../../regions/read-regions.ts";

/** The error for a file whose regions hold all spots. */
export function noneRemain(path: string): InputError {
  const file = basename(path);
  return new InputError(
    `The regions in ${file} exclude every spot in tissue: draw only around what is to be left out.`,
    { file },
  );
}

/**
 * Counts without the spots whose centers lie in the regions of a file, and how many were left out. Throws InputError if
 * none would remain. O(spots + counts).
 */
export async function leaveOut(
  counted: PlacedCounts,
  { x, y }: Pick<Positions, "x" | "y">,
  excluded: string,
  image: ImageFacts,
): Promise<{ kept: PlacedCounts; nRegions: number; nSpots: number }> {
  const regions = await readRegions(excluded, fullSize(image));
  const isInside = insideAny(regions);
  const rows = [...counted.position.keys()].filter((spot) => {
    const place = counted.position[spot];
    return !isInside(x[place], y[place]);
  });
  if (rows.length === 0) throw noneRemain(excluded);
  return {
    nRegions: regions.length,
    nSpots: counted.barcode.length - rows.length,
    kept: {
      ...counted,
      barcode: rows.map((spot) => counted.barcode[spot]),
      counts: chooseRows(counted.counts, rows),
      position: Uint32Array.from(rows, (spot) => counted.position[spot]),
    },
  };
}
