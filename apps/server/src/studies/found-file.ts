import type { Readable } from "node:stream";
import { damageOf } from "../outputs/damage.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import { DamagedFileError } from "../storage/damage-errors.ts";
import type { Findings } from "./findings.ts";

/** A file of a finding; a large one can be sent in ranges. */
export interface FoundFile {
  size: number;
  /** Differs for different contents. */
  tag: string;
  open(range?: { start: number; end: number }): Promise<Readable | Buffer>;
}

/** Null if there is none. Opening one whose stored bytes are damaged forgets the finding, so that it is made anew. */
export async function foundFile(
  { kept, reads }: { kept: Findings; reads: SoundReads },
  { studyId, key, name }: { studyId: string; key: string; name: string },
): Promise<FoundFile | null> {
  const file = await kept.file(studyId, key, name);
  if (file === null) return null;
  if (Buffer.isBuffer(file)) {
    return { tag: `"${key}"`, size: file.length, open: () => Promise.resolve(file) };
  }
  const { size, sha256, storageKey } = file;
  return {
    ...{ tag: `"${sha256}"`, size },
    open: (range = { start: 0, end: size - 1 }) =>
      reads.open(file, range).catch(async (error: unknown) => {
        const damage = damageOf(error);
        if (damage === null) throw error;
        await reads.note(storageKey, damage, { err: error, study: studyId });
        await kept.forget(studyId, key);
        const what = "A file of this study was damaged on the server: ask for it again.";
        throw new DamagedFileError(what, { cause: error });
      }),
  };
}
