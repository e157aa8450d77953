import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import { makeFolders } from "@stipple/server/settings/make-folders";

/**
 * The absolute path of the folder for results, made if it is missing; before any work that would be lost. Throws
 * {@link InputError} if nothing can be written there.
 */
export function outFolder(given: string): string {
  const folder = resolve(given);
  try {
    makeFolders(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new InputError(
      `Cannot write to ${given}: choose an --out folder that you have permission to write to.`,
      { cause: error },
    );
  }
  return folder;
}
