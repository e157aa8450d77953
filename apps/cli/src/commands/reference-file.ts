import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isReferenceName } from "@stipple/contract/kept-reference";
import { builtInFile, builtInReferences } from "@stipple/pipeline/built-in-references";
import { InputError } from "@stipple/pipeline/errors";

/** The file that --reference names, removed after use if it is a copy. */
export interface ReferenceFile extends AsyncDisposable {
  path: string | undefined;
}

/**
 * A file, or the name of a built-in reference, which needs no storage, or of a kept one, which is copied. Throws an
 * {@link InputError} if there is none.
 */
export async function referenceFile(given: string | undefined): Promise<ReferenceFile> {
  const nothing = () => Promise.resolve();
  if (given === undefined) return { path: undefined, [Symbol.asyncDispose]: nothing };
  const path = resolve(given);
  if ((await stat(path).catch(() => undefined))?.isFile()) {
    return { path, [Symbol.asyncDispose]: nothing };
  }
  const builtIn = (await builtInReferences()).find(({ name }) => name === given);
  if (builtIn) return { path: builtInFile(builtIn), [Symbol.asyncDispose]: nothing };
  if (!isReferenceName(given)) {
    throw new InputError(
      `The reference ${given} does not exist: check the path after --reference, or use the name of a kept one (stipple reference list).`,
    );
  }
  const { loadEnvironment } = await import("../serve/settings.ts");
  const { copyReference, withStorage } = await import("@stipple/server/admin/references");
  const folder = await mkdtemp(join(tmpdir(), "stipple-reference-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const copy = join(folder, `${given}.h5ad`);
  try {
    await withStorage(loadEnvironment(), (storage) => copyReference(storage, given, copy));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path: copy, [Symbol.asyncDispose]: remove };
}

/** Puts files in the place of the references that samples name, until `opened` ends. Throws as {@link referenceFile}. */
export async function placeReferences(
  samples: readonly { files: { reference?: string | undefined } }[],
  opened: AsyncDisposableStack,
): Promise<void> {
  const byName = new Map<string, ReferenceFile>();
  for (const { files } of samples) {
    const given = files.reference;
    if (given === undefined) continue;
    const file = byName.get(given) ?? opened.use(await referenceFile(given));
    byName.set(given, file);
    files.reference = file.path;
  }
}
