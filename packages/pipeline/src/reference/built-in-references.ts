import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  byTissueAndName,
  keptReference,
  type KeptReference,
} from "@stipple/contract/kept-reference";

const FOLDER = fileURLToPath(new URL("../../references", import.meta.url));

/**
 * Condensed references that are part of this version, by tissue and name. `lab/training/condense-references.ts` makes them
 * from open data: NAME.h5ad, and in NAME.json what is listed without opening it.
 */
export async function builtInReferences(): Promise<KeptReference[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".json"));
  const all = await Promise.all(
    files.map(async (name) =>
      keptReference.parse(JSON.parse(await readFile(join(FOLDER, name), "utf8"))),
    ),
  );
  return all.sort(byTissueAndName);
}

/** The condensed file. */
export function builtInFile({ name }: KeptReference): string {
  return join(FOLDER, `${name}.h5ad`);
}
