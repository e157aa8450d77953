import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { CHUNK_BYTES } from "@stipple/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { openStorage } from "../src/storage/open-storage.ts";
import { byBytes, KeyError, MissingObjectError, type Storage } from "../src/storage/storage.ts";
import { noS3, startS3, type S3Server } from "./s3-server.ts";
import { all, keysBelow } from "./stored.ts";

let folder: string;
let s3: S3Server | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-storage-"));
  s3 = noS3 ? undefined : await startS3();
});
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const settingsOf = (environment: NodeJS.ProcessEnv) =>
  readConfig({ DATABASE_URL: "postgresql://", STIPPLE_DATA_DIR: folder, ...environment }).storage;

/** Everything the product relies on, for each kind of storage. */
describe.each([
  { name: "a local folder", missing: null },
  { name: noS3 ? `S3: NOT RUN, ${noS3}` : "S3", missing: noS3 },
])("storage in $name", ({ name, missing }) => {
  if (missing) return it.skip("is the same");
  const isFolder = name === "a local folder";
  let bucket: NodeJS.ProcessEnv;
  let storage: Storage;
  let local: string;
  beforeAll(async () => {
    bucket = (await (isFolder ? undefined : s3)?.newBucket()) ?? {};
    storage = await openStorage(settingsOf(bucket));
  });
  afterAll(() => storage.close());
  // Each test has its own prefix and folder.
  let top: string;
  beforeEach(async () => {
    top = `t-${randomUUID()}`;
    local = join(folder, top);
  });

  const read = async (key: string, range?: { start: number; end: number }) =>
    buffer(await storage.get(key, range));
  const at = (path: string) => `${top}/${path}`;

  it("returns what was put, in any form", async () => {
    const bytes = randomBytes(100_000);
    const file = `${local}.bin`;
    await writeFile(file, bytes);
    await storage.put(at("bytes"), bytes);
    await storage.put(at("text"), "naïve ✓");
    await storage.put(at("stream"), Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]));
    await storage.put(at("empty"), new Uint8Array());
    await storage.putFile(at("file"), file);
    expect((await read(at("bytes"))).equals(bytes)).toBe(true);
    expect((await read(at("text"))).toString()).toBe("naïve ✓");
    expect((await read(at("stream"))).equals(bytes)).toBe(true);
    expect((await read(at("empty"))).length).toBe(0);
    expect((await read(at("file"))).equals(bytes)).toBe(true);
    const info = await storage.stat(at("file"));
    expect(info).toMatchObject({ key: at("file"), size: bytes.length });
    expect(Math.abs(Date.now() - (info?.modified.getTime() ?? 0))).toBeLessThan(60_000);
  });

  it("keeps odd names apart", async () => {
    const names = [
      "with space",
      "plus+sign",
      "100%",
      "%41",
      "a&b<c>\"d'",
      "ques?tion#hash",
      "ümläut",
      "u\u0308mla\u0308ut",
      "日本語",
      "🧬",
      "~tilde!*(){}[]^`|;:@=,$",
      ".hidden",
      "trailing.",
      "UPPER",
      "upper",
      `${"long".repeat(50)}`,
    ];
    for (const each of names) await storage.put(at(`odd/${each}`), each);
    for (const each of names) expect((await read(at(`odd/${each}`))).toString()).toBe(each);
    const expected = names.map((each) => at(`odd/${each}`)).sort(byBytes);
    expect(await keysBelow(storage, at("odd"))).toEqual(expected);
    await storage.remove(expected);
    expect(await keysBelow(storage, at("odd"))).toEqual([]);
  });

  it("refuses keys that would escape it", async () => {
    for (const key of [
      "",
      "/a",
      "a//b",
      "a/",
      "../a",
      "a/../b",
      "./a",
      "a\\b",
      "a\0",
      ".a",
      "a\n",
    ]) {
      await expect(storage.put(key, "x")).rejects.toThrow(KeyError);
      await expect(storage.get(key)).rejects.toThrow(KeyError);
      await expect(storage.remove([key])).rejects.toThrow(KeyError);
      await expect(storage.beginParts(key)).rejects.toThrow(KeyError);
    }
  });

  it("returns ranges, with both ends inclusive", async () => {
    await storage.put(at("digits"), "0123456789");
    expect((await read(at("digits"), { start: 2, end: 4 })).toString()).toBe("234");
    expect((await read(at("digits"), { start: 9, end: 9 })).toString()).toBe("9");
    expect((await read(at("digits"), { start: 7, end: 99 })).toString()).toBe("789");
  });

  it("reports what is missing", async () => {
    expect(await storage.stat(at("none"))).toBeNull();
    await expect(storage.get(at("none"))).rejects.toThrow(MissingObjectError);
    await expect(storage.fetchTo(at("none"), `${local}/none`)).rejects.toThrow(MissingObjectError);
    await storage.remove([at("none"), at("none/below")]);
    expect(await keysBelow(storage, at("none"))).toEqual([]);
    // A truncated key or prefix matches nothing.
    await storage.put(at("dir/object"), "x");
    expect(await storage.stat(at("dir"))).toBeNull();
    expect(await keysBelow(storage, at("di"))).toEqual([]);
  });

  it("replaces an object atomically", async () => {
    await storage.put(at("same"), "a".repeat(50_000));
    const reader = await storage.get(at("same"));
    await storage.put(at("same"), "b");
    expect((await read(at("same"))).toString()).toBe("b");
    expect(await keysBelow(storage, top)).toEqual([at("same")]);
    reader.destroy();
  });

  it("stores nothing from an interrupted put, and keeps the previous object", async () => {
    await storage.put(at("kept"), "former");
    const broken = (bytes: number) =>
      Readable.from(
        (function* () {
          for (let sent = 0; sent < bytes; sent += 1024 * 1024) yield randomBytes(1024 * 1024);
          throw new Error("the line broke");
        })(),
      );
    for (const bytes of [1024 * 1024, 25 * 1024 * 1024]) {
      await expect(storage.put(at("kept"), broken(bytes))).rejects.toThrow("the line broke");
      await expect(storage.put(at("new"), broken(bytes))).rejects.toThrow("the line broke");
    }
    expect((await read(at("kept"))).toString()).toBe("former");
    expect(await storage.stat(at("new"))).toBeNull();
    expect(await keysBelow(storage, top)).toEqual([at("kept")]);
    expect(await all(storage.listParts(top))).toEqual([]);
    if (isFolder) {
      expect(await readdir(join(folder, "files", ".unfinished"))).toEqual([]);
    }
  });

  it("holds one complete object after concurrent writes", async () => {
    const versions = Array.from({ length: 6 }, (_, index) => Buffer.alloc(300_000, index));
    await Promise.all(versions.map((bytes) => storage.put(at("contested"), bytes)));
    const left = await read(at("contested"));
    expect(versions.some((bytes) => bytes.equals(left))).toBe(true);
    // Creating and deleting neighboring objects at the same time causes no conflicts.
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await storage.put(at(`busy/${index}/x`), "x");
        await storage.remove([at(`busy/${index}/x`)]);
      }),
    );
    expect(await keysBelow(storage, at("busy"))).toEqual([]);
  });

  it("lists any number in order, and removes them", async () => {
    const keys = Array.from({ length: 1203 }, (_, index) => at(`many/${index % 7}/${index}`));
    for (let from = 0; from < keys.length; from += 50) {
      await Promise.all(keys.slice(from, from + 50).map((key) => storage.put(key, "x")));
    }
    await storage.put(at("many-more/1"), "x");
    await storage.put(at("many.txt"), "x");
    expect(await keysBelow(storage, at("many"))).toEqual(keys.toSorted(byBytes));
    const everything = [at("many-more/1"), at("many.txt"), ...keys].toSorted(byBytes);
    expect((await keysBelow(storage, top)).sort(byBytes)).toEqual(everything);
    await storage.remove(keys);
    expect(await keysBelow(storage, top)).toEqual([at("many-more/1"), at("many.txt")]);
  });

  it("assembles large streams and files from parts", async () => {
    const bytes = randomBytes(2 * CHUNK_BYTES + 12_345);
    const file = `${local}.bin`;
    await writeFile(file, bytes);
    await storage.put(at("stream"), Readable.from(pieces(bytes, 777_777)));
    await storage.putFile(at("file"), file);
    expect((await read(at("stream"))).equals(bytes)).toBe(true);
    expect((await read(at("file"))).equals(bytes)).toBe(true);
    const seam = { start: CHUNK_BYTES - 3, end: CHUNK_BYTES + 3 };
    expect(await read(at("file"), seam)).toEqual(bytes.subarray(seam.start, seam.end + 1));
  });

  describe("an object that arrives in parts", () => {
    const whole = randomBytes(2 * CHUNK_BYTES + 999);
    const part = (index: number) => whole.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    const described = (tags: string[]) =>
      tags.map((tag, index) => ({ index, tag, size: part(index).length }));

    it("accepts them in any order, and one twice", async () => {
      const key = at("parts");
      const id = await storage.beginParts(key);
      const tags: string[] = [];
      const file = `${local}.part`;
      await writeFile(file, part(1));
      tags[2] = await storage.putPart(key, id, 2, part(2));
      tags[0] = await storage.putPart(key, id, 0, part(0));
      tags[1] = await storage.putPart(key, id, 1, { path: file, size: CHUNK_BYTES });
      tags[0] = await storage.putPart(key, id, 0, part(0));
      expect(await storage.stat(key)).toBeNull();
      expect(await keysBelow(storage, top)).toEqual([]);
      await storage.completeParts(key, id, described(tags));
      expect((await read(key)).equals(whole)).toBe(true);
      // The response was lost, so the request is repeated.
      await storage.completeParts(key, id, described(tags));
      expect(await all(storage.listParts(top))).toEqual([]);
    });

    it("is independent of others with the same key", async () => {
      const key = at("twice");
      await storage.put(key, "former");
      const [a, b] = [await storage.beginParts(key), await storage.beginParts(key)];
      await storage.putPart(key, a, 0, Buffer.from("of a"));
      const tag = await storage.putPart(key, b, 0, Buffer.from("of b"));
      expect((await read(key)).toString()).toBe("former");
      await storage.completeParts(key, b, [{ index: 0, tag, size: 4 }]);
      expect((await read(key)).toString()).toBe("of b");
      await storage.abortParts(key, a);
    });

    it("is complete or missing when aborted at the moment it is completed", async () => {
      for (let round = 0; round < 25; round++) {
        const key = at(`race-${round}`);
        const id = await storage.beginParts(key);
        const tag = await storage.putPart(key, id, 0, Buffer.from("abcd"));
        const [completed] = await Promise.allSettled([
          storage.completeParts(key, id, [{ index: 0, tag, size: 4 }]),
          storage.abortParts(key, id),
        ]);
        if (completed.status === "fulfilled") expect((await read(key)).toString()).toBe("abcd");
        else expect(completed.reason).toBeInstanceOf(MissingObjectError);
      }
    });

    it("is listed until aborted, and then gone", async () => {
      const key = at("unfinished");
      const id = await storage.beginParts(key);
      await storage.putPart(key, id, 0, Buffer.from("some"));
      const [found, ...others] = await all(storage.listParts(top));
      expect(others).toEqual([]);
      expect(found).toMatchObject({ key, uploadId: id });
      expect(Math.abs(Date.now() - (found?.startedAt.getTime() ?? 0))).toBeLessThan(60_000);
      expect(await all(storage.listParts(at("other")))).toEqual([]);
      await storage.abortParts(key, id);
      await storage.abortParts(key, id);
      expect(await all(storage.listParts(top))).toEqual([]);
      await expect(storage.putPart(key, id, 1, Buffer.from("late"))).rejects.toThrow(
        MissingObjectError,
      );
      await expect(
        storage.completeParts(key, id, [{ index: 0, tag: "0", size: 4 }]),
      ).rejects.toThrow(MissingObjectError);
      expect(await storage.stat(key)).toBeNull();
    });
  });

  it("makes an object a local file", async () => {
    const bytes = randomBytes(CHUNK_BYTES + 5);
    await storage.put(at("fetched"), bytes);
    await storage.put(at("empty"), "");
    const path = join(local, "deep/er/file.bin");
    await storage.fetchTo(at("fetched"), path);
    await storage.fetchTo(at("fetched"), path);
    await storage.fetchTo(at("empty"), join(local, "empty"));
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect((await stat(join(local, "empty"))).size).toBe(0);
    // The file stays after the object is deleted.
    await storage.remove([at("fetched")]);
    expect((await stat(path)).size).toBe(bytes.length);
    expect(await readdir(join(local, "deep/er"))).toEqual(["file.bin"]);
  });

  it("leaves nothing of a file whose download is aborted", async () => {
    await storage.put(at("given-up"), randomBytes(2 * CHUNK_BYTES));
    const path = join(local, "given/up.bin");
    const controller = new AbortController();
    const fetched = storage.fetchTo(at("given-up"), path, controller.signal);
    controller.abort();
    await expect(fetched).rejects.toThrow("abort");
    expect(await readdir(join(local, "given")).catch(() => [])).toEqual([]);
  });
});

/** A buffer in pieces that do not align with chunks. */
function* pieces(bytes: Buffer, size: number): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}
