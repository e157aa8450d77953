import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Storage } from "../storage/storage.ts";
import { objectListKey, type BackedUpObject } from "./contents.ts";
import { Hashing } from "../outputs/content.ts";

/** Writes the list of a backup's objects. Returns its digest. */
export async function writeObjectList(
  place: Storage,
  backup: string,
  objects: readonly BackedUpObject[],
): Promise<string> {
  const hashing = new Hashing();
  const lines = Readable.from(linesOf(objects));
  await Promise.all([
    pipeline(lines, createGzip(), hashing),
    place.put(objectListKey(backup), hashing),
  ]);
  return hashing.sha256;
}

export async function* readObjectList(
  place: Storage,
  backup: string,
): AsyncGenerator<BackedUpObject> {
  const packed = await place.get(objectListKey(backup));
  for await (const line of createInterface({ input: packed.pipe(createGunzip()) })) {
    yield JSON.parse(line) as BackedUpObject;
  }
}

function* linesOf(objects: readonly BackedUpObject[]): Generator<string> {
  for (const object of objects) yield `${JSON.stringify(object)}\n`;
}
