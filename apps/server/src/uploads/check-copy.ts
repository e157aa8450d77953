import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import type { Storage } from "../storage/storage.ts";
import type { FileOrder } from "./file-checker.ts";

/** Why a reader refuses a copy of a file, in one sentence; null if it does not. */
export async function faultOfCopy(
  storage: Storage,
  { key, fileName, scratch }: FileOrder,
  read: (path: string) => Promise<unknown>,
): Promise<string | null> {
  const folder = await mkdtemp(join(scratch, "copy-"));
  try {
    const path = join(folder, copyName(fileName));
    await storage.fetchTo(key, path);
    await read(path);
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
