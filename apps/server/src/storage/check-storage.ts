import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import type { StorageSettings } from "./open-storage.ts";
import type { Storage } from "./storage.ts";

/** The storage cannot be used; the message says what is wrong and what to do. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

const PROBE = "probes";

/** Writes, reads, lists and removes a small object. Throws a {@link StorageError}. */
export async function checkStorage(storage: Storage, settings: StorageSettings): Promise<void> {
  const key = `${PROBE}/${randomUUID()}`;
  let action = "write to";
  try {
    await storage.put(key, key);
    action = "read from";
    if ((await text(await storage.get(key))) !== key)
      throw new Error("it returned different bytes");
    action = "list";
    let isListed = false;
    for await (const info of storage.list(PROBE)) isListed ||= info.key === key;
    if (!isListed) throw new Error("it does not list what was just written");
    action = "remove from";
    await storage.remove([key]);
    action = "list unfinished uploads of";
    await storage.listParts(PROBE)[Symbol.asyncIterator]().next();
  } catch (cause) {
    throw new StorageError(await sentence(settings, action, cause), { cause });
  }
}

async function sentence(
  settings: StorageSettings,
  action: string,
  error: unknown,
): Promise<string> {
  if (!settings.address.startsWith("file:")) {
    const { s3Fault } = await import("./s3/s3-fault.ts");
    return s3Fault(settings, action, error);
  }
  const folder = settings.address.slice("file:".length);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC")
    return `The disk of the storage folder ${folder} is full: free up space on it.`;
  return `Stipple cannot ${action} the storage folder ${folder} (${code ?? message}): give this account write permission, or set STIPPLE_STORAGE to another folder.`;
}
