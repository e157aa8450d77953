import { basename } from "node:path";
import { InputError } from "../errors.ts";
import { readResult } from "../store/results-folder.ts";
import { fullSize, readRegions } from "./read-regions.ts";

/**
 * The polygons of a file's regions with this name or class, full-resolution pixels of the analyzed image. Throws
 * {@link InputError} if there are none, or if the file cannot be used.
 */
export async function readRegionsCalled(
  name: string,
  { file, results }: { file: string; results: string },
): Promise<Float64Array[][]> {
  const regions = await readRegions(file, fullSize(await readResult(results, "sample/image")));
  const called = regions.filter((region) => region.name === name || region.kind === name);
  if (called.length > 0) return called.flatMap(({ polygons }) => polygons);
  const known = [...new Set(regions.map((region) => region.name))].join(", ");
  throw new InputError(
    `${basename(file)} has no region called "${name}"; its regions are ${known}: name one of them.`,
  );
}
