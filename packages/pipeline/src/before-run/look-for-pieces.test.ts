import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { regionsGeoJson } from "@stipple/formats/geojson/write-regions";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSampleFiles } from "../readers/find-sample-files.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import { writeTwoPieces } from "../readers/testing/platform-fixtures.ts";
import { analysisSettings } from "../settings.ts";
import { lookForPieces } from "./look-for-pieces.ts";

const folder = mkdtempSync(join(tmpdir(), "pieces-"));
afterAll(() => rmSync(folder, { recursive: true }));
let sample: SampleFiles;
beforeAll(async () => {
  await writeTwoPieces(join(folder, "sample"));
  sample = await findSampleFiles(join(folder, "sample"), { platform: "visium" });
});
const look = (added: Partial<SampleFiles> = {}) =>
  lookForPieces({ ...sample, ...added }, analysisSettings.parse({}), new AbortController().signal);

it("finds the pieces of a slide, and one where only that is kept or the other left out", async () => {
  const { pieces, noun } = await look();
  expect(noun).toBe("spot");
  expect(pieces.map(({ name, nSpots }) => [name, nSpots])).toEqual([
    ["Piece 1", 11],
    ["Piece 2", 12],
  ]);
  const path = join(folder, "piece.geojson");
  writeFileSync(path, regionsGeoJson([pieces[0]]));
  expect((await look({ kept: path })).pieces).toEqual([]);
  expect((await look({ excluded: path })).pieces).toEqual([]);
});
