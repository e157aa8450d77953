import { platformById, type PlatformId, type Resolution } from "@stipple/contract/platforms/index";
import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { list, type CandidateFile } from "@stipple/contract/recognition/candidate";
import { recognize } from "@stipple/contract/recognition/recognize";
import { refusals } from "./texts.ts";
import type { PickedFile } from "./dropped-files.ts";
import { typeFault } from "./slot-files.ts";

/** What becomes of chosen files. */
export interface Assignment {
  /** One file per slot. */
  matched: { slot: UploadSlot; file: File }[];
  /** Sentences about what must be settled, and about files that may be wanted and are not taken. */
  refused: string[];
  /** Sentences about files that look like data and are not needed. */
  skipped: string[];
  /** Number of files that are not taken and that nobody asked for, those of `skipped` included. */
  skippedCount: number;
}

interface Picked extends CandidateFile {
  picked: PickedFile;
}

/** A chosen file as the recognizer takes it. */
export function candidateOf(picked: PickedFile): Picked {
  const { file, path } = picked;
  return {
    picked,
    path,
    size: file.size,
    isChosen: !path.includes("/"),
    read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
  };
}

/** Assigns chosen files to a project's slots, as the contract's `recognize` tells them apart. */
export async function assignFiles(
  files: readonly PickedFile[],
  { platform, resolution }: { platform: PlatformId; resolution?: Resolution | undefined },
): Promise<Assignment> {
  const found = await recognize(files.map(candidateOf), { platform, resolution });
  const refused = found.faults.map(({ sentence }) => sentence);
  const skipped: string[] = [];
  const matched: Assignment["matched"] = [];
  for (const slot of platformById(platform).slots) {
    const file = found.files[slot.id as keyof typeof found.files];
    if (!file) continue;
    const fault = typeFault(slot, file.picked.file);
    if (fault !== undefined) refused.push(fault);
    // They replace the cells found in the image, so they are taken only if they were chosen.
    else if (slot.id === "cells" && !file.isChosen)
      skipped.push(refusals.cellsNotChosen(file.picked.file.name));
    else matched.push({ slot, file: file.picked.file });
  }
  if (found.channels.length > 0) {
    refused.push(refusals.channels(list(found.channels.map(({ path }) => path))));
  }
  for (const { file, sentence, matters } of found.leftOut) {
    // A file that was chosen by itself is wanted.
    (matters || file.isChosen ? refused : skipped).push(sentence);
  }
  const unknown = found.unrelated.filter(({ isChosen }) => isChosen);
  for (const { path } of unknown) refused.push(refusals.unknown(path));
  const skippedCount = skipped.length + found.unrelated.length - unknown.length;
  return { matched, refused, skipped, skippedCount };
}
