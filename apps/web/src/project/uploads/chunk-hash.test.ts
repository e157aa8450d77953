import { afterEach, expect, it, vi } from "vitest";
import { chunkHash } from "./chunk-hash.ts";

afterEach(() => void vi.unstubAllGlobals());

it("matches a published digest (FIPS 180-4, “abc”)", async () => {
  const published = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(await chunkHash(new Blob(["abc"]))).toBe(published);
});

it("matches the browser's own hash without TLS for every length of the last block, and for a megabyte", async () => {
  const bytes = Uint8Array.from({ length: 1024 * 1024 }, (_, at) => (at * 97 + 13) % 256);
  const lengths = [...Array(201).keys(), bytes.length - 7];
  const hashes = () =>
    Promise.all(lengths.map((length) => chunkHash(new Blob([bytes.subarray(7, 7 + length)]))));
  const expected = await hashes();
  vi.stubGlobal("crypto", undefined);
  expect(await hashes()).toEqual(expected);
});
