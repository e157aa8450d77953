import { buffer } from "node:stream/consumers";
import { projectKey } from "../src/storage/project-keys.ts";
import type { Storage } from "../src/storage/storage.ts";
import type { TestServer } from "./server.ts";

/** An input file as a step gets it; null if the project has no file of this name. */
export async function storedInput(
  { context }: TestServer,
  projectId: string,
  name: string,
): Promise<Buffer | null> {
  const file = (await context.uploads.inputs(projectId)).find((each) => each.name === name);
  return file ? buffer(await context.storage.get(file.storageKey)) : null;
}

/** Keys of everything stored for a project. */
export async function keysOf({ context }: TestServer, projectId: string): Promise<string[]> {
  const rows = await context.database.db
    .selectFrom("objects")
    .select("storage_key")
    .where((is) =>
      is.or([
        is("id", "in", (from) =>
          from.selectFrom("uploads").select("object_id").where("project_id", "=", projectId),
        ),
        is("id", "in", (from) =>
          from.selectFrom("step_files").select("object_id").where("project_id", "=", projectId),
        ),
      ]),
    )
    .execute();
  return [
    ...rows.map((row) => row.storage_key),
    ...(await keysBelow(context.storage, projectKey(projectId))),
  ];
}

export async function keysBelow(storage: Storage, prefix: string): Promise<string[]> {
  return (await all(storage.list(prefix))).map(({ key }) => key);
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The `keys` that still exist. */
export async function remaining(storage: Storage, keys: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    keys.map(async (key) => ((await storage.stat(key)) ? [key] : [])),
  );
  return found.flat();
}

/** Changes an object's bytes in the storage, as a faulty disk or a careless hand would. */
export async function damage(
  storage: Storage,
  key: string,
  how: "flip" | "truncate" | "remove",
  at = 0,
): Promise<void> {
  if (how === "remove") return storage.remove([key]);
  const bytes = await buffer(await storage.get(key));
  if (how === "truncate") return storage.put(key, bytes.subarray(0, bytes.length >> 1));
  bytes[at] ^= 1;
  await storage.put(key, bytes);
}
