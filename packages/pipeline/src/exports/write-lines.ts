import { open } from "node:fs/promises";
import { throwIfCancelled } from "../errors.ts";

const PIECE_CHARACTERS = 1 << 20;

/** Writes strings one after the other, a megabyte at a time: memory does not grow with the file. */
export async function writePieces(
  path: string,
  pieces: Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  await using file = await open(path, "w");
  let pending = "";
  for (const piece of pieces) {
    pending += piece;
    if (pending.length < PIECE_CHARACTERS) continue;
    throwIfCancelled(signal);
    await file.writeFile(pending);
    pending = "";
  }
  await file.writeFile(pending);
}
