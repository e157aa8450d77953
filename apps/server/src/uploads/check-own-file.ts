import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { OwnFile } from "@stipple/contract/platforms/own-files";
import { InputError } from "@stipple/pipeline/errors";
import { checkOwnFile } from "@stipple/pipeline/samples";
import type { Storage } from "../storage/storage.ts";
import type { FileOrder } from "./file-checker.ts";

/** Why a file of the user's own can be used with no sample, in one sentence; null if nothing speaks against it. */
export async function faultOfOwnFile(
  storage: Storage,
  { key, fileName, slot, scratch }: FileOrder & { slot: OwnFile },
): Promise<string | null> {
  const folder = await mkdtemp(join(scratch, "own-"));
  try {
    const path = join(folder, copyName(fileName));
    await storage.fetchTo(key, path);
    await checkOwnFile(slot, path);
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The name of a copy that sentences are to name as its owner does, with what its ending promises. */
export function copyName(fileName: string): string {
  return fileName.replaceAll(/[/\\\0]/g, "_").slice(-60);
}
