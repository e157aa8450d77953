import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readPieces, readText } from "./read-text.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-text-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Several pieces. */
const TEXT = Buffer.from(
  Array.from({ length: 900_000 }, (_, k) => `${(k * 7919) % 18_013} ${k >> 12} 1\n`).join(""),
);

async function whole(path: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(readPieces(path)));
}

it("decompresses a file of several members", async () => {
  const path = join(folder, "whole.gz");
  const packed = gzipSync(TEXT);
  await writeFile(path, Buffer.concat([packed, packed]));
  expect((await whole(path)).equals(Buffer.concat([TEXT, TEXT]))).toBe(true);
});

it("reads a large compressed text whole", async () => {
  const path = join(folder, "regions.geojson");
  const text = randomBytes(12 * 2 ** 20).toString("base64");
  await writeFile(path, gzipSync(text, { level: 1 }));
  const read = await readText(path, { what: "regions", remedy: "export them" }, 2 ** 25);
  expect(read === text).toBe(true);
});

it("says that a file is missing or a folder, and leaves no failed stream behind", async () => {
  const wanted = { what: "a sample sheet", remedy: "use a CSV" };
  await expect(readText(join(folder, "no.csv"), wanted, 99)).rejects.toThrow(
    "no.csv does not exist: check its path.",
  );
  await expect(readText(folder, wanted, 99)).rejects.toThrow(/^stipple-text-.* is a folder: check/);
});

it("says what is wrong with a compressed file", async () => {
  const packed = gzipSync(TEXT);
  const path = join(folder, "other.gz");
  await writeFile(path, packed.subarray(0, packed.length >> 1));
  await expect(whole(path)).rejects.toThrow(
    /^other\.gz is incomplete: its compressed data are cut off/,
  );
  const torn = Buffer.from(packed);
  torn.fill(0x55, packed.length >> 1, (packed.length >> 1) + 99);
  await writeFile(path, torn);
  await expect(whole(path)).rejects.toThrow(/^other\.gz is damaged/);
  await writeFile(path, gzipSync(Buffer.alloc(2 ** 27)));
  await expect(whole(path)).rejects.toThrow(/^other\.gz decompresses to more than \d+ bytes/);
});

it.runIf(process.platform === "linux")("closes the file when no more data is needed", async () => {
  const path = join(folder, "early.gz");
  await writeFile(path, gzipSync(TEXT));
  for await (const piece of readPieces(path)) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  const open = async () =>
    Promise.all(
      (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
    );
  await expect.poll(open).not.toContain(path);
});
