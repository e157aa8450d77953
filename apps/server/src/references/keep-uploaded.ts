import { join } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import { condenseReference, type ReferenceOrder } from "@stipple/pipeline/references";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import { storeReference } from "./references.ts";

/** An uploaded reference to condense and keep. */
export interface KeepOrder {
  key: string;
  /** What its owner called the file. */
  fileName: string;
  keep: { owner: string; about: ReferenceOrder; scratch: string };
}

/** Condenses a stored reference and keeps the result. Returns why not, in a sentence; null if it is kept. */
export async function keepUploaded(
  storage: Storage,
  { key, fileName, keep }: KeepOrder,
): Promise<string | null> {
  const options = { signal: new AbortController().signal, now: new Date() };
  try {
    return await withTemporaryFolder(keep.scratch, async (folder) => {
      // A file may be called anything.
      const safeName = fileName.replaceAll(/[\\/\0]/g, "_").slice(-80);
      const [file, out] = [join(folder, safeName), join(folder, "condensed")];
      await storage.fetchTo(key, file);
      const description = await condenseReference(file, out, keep.about, options);
      await storeReference(storage, keep.owner, out, description);
      return null;
    });
  } catch (error) {
    if (error instanceof InputError) return error.message;
    // It may be replaced or removed at this moment.
    if (error instanceof MissingObjectError) {
      return `${fileName} is no longer stored: upload it to the project again.`;
    }
    throw error;
  }
}
