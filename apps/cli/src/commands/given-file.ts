import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "@stipple/pipeline/errors";

/** The absolute path of a file given with an option. Throws {@link InputError} if it does not exist. */
export async function givenFile(
  path: string | undefined,
  option: string,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  if (!(await stat(path).catch(() => undefined))?.isFile()) {
    throw new InputError(`The file ${path} does not exist: check the path after ${option}.`);
  }
  return resolve(path);
}
