import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { PLATFORM_FIXTURES } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import { analysisSettings } from "@stipple/pipeline/settings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openLocalFolder } from "../storage/local-folder.ts";
import type { Storage } from "../storage/storage.ts";
import {
  faultOfSample,
  lookAtSample,
  registrationOfSample,
  type SampleOrder,
} from "./check-sample.ts";

let folder: string;
let storage: Storage;
let given: SampleOrder["files"][number][];
let order: Omit<SampleOrder, "files">;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-check-sample-"));
  const [input, scratch] = [join(folder, "input"), join(folder, "scratch")];
  await mkdir(input);
  await mkdir(scratch);
  storage = await openLocalFolder(join(folder, "storage"));
  const { files } = await PLATFORM_FIXTURES.visium(input);
  given = [];
  for (const [slot, path] of Object.entries(files)) {
    given.push(await stored(slot, basename(path), await readFile(path)));
  }
  order = { settings: analysisSettings.parse({}), scratch, largestCopy: 2 ** 20 };
});
afterAll(() => rm(folder, { recursive: true }));

async function stored(slot: string, name: string, bytes: Buffer | string) {
  await storage.put(`objects/${name}`, bytes);
  return { slot, name, fileName: name, key: `objects/${name}`, size: bytes.length };
}

it("finds a reference that cannot be used next to files that can", async () => {
  expect(await faultOfSample(storage, { ...order, files: given })).toBeNull();
  const reference = await stored("reference", "reference.h5ad", "no cells");
  expect(await faultOfSample(storage, { ...order, files: [...given, reference] })).toMatch(
    /^The reference reference\.h5ad cannot be read as an h5ad file: /,
  );
});

it("leaves to the run what lies on an image that is too large to be fetched", async () => {
  const ring = [70, 80, 80, 70, 70].map((x, i) => [x, i > 1 && i < 4 ? 80 : 70]);
  const cell = { type: "Feature", geometry: { type: "Polygon", coordinates: [ring] } };
  const outlines = await stored("outlines", "cells.geojson", JSON.stringify([cell]));
  const files = [...given, outlines];
  const largestCopy = given.find(({ slot }) => slot === "he_image")!.size - 1;
  expect(await faultOfSample(storage, { ...order, files, largestCopy })).toBeNull();
  expect(await lookAtSample(storage, { ...order, files, largestCopy })).toEqual({});
  expect(await registrationOfSample(storage, { ...order, files, largestCopy })).toEqual({
    look: null,
    fault: expect.stringMatching(/^The image is too large to be compared/),
  });
  const found = await lookAtSample(storage, { ...order, files });
  expect(found).toMatchObject({ outlines: { isFault: false } });
});

it("finds a matrix that announces more spots than are listed", async () => {
  const banner = "%%MatrixMarket matrix coordinate integer general";
  const matrix = await stored("matrix", "matrix.mtx.gz", gzipSync(`${banner}\n3 99 1\n1 1 1\n`));
  const files = given.map((file) => (file.slot === "matrix" ? matrix : file));
  expect(await faultOfSample(storage, { ...order, files })).toMatch(
    /^matrix\.mtx\.gz has 99 barcodes, but barcodes\.tsv\.gz lists 19: .* different samples/,
  );
});
