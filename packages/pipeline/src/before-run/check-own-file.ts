import type { OwnFile } from "@stipple/contract/platforms/own-files";
import { checkAlignment } from "../alignment/read-alignment.ts";
import { readAnnotations } from "../annotations/read-annotations.ts";
import { readRegions } from "../regions/read-regions.ts";

/**
 * Checks everything about a file of the user's that does not depend on the sample. Outlines are read only with their
 * image. Throws {@link InputError}.
 */
export async function checkOwnFile(kind: OwnFile, path: string): Promise<void> {
  if (kind === "alignment") await checkAlignment(path);
  else if (kind === "annotations") await readAnnotations(path);
  else if (kind !== "outlines") await readRegions(path, null);
}
