import { expect, it } from "vitest";
import { ALL_FORMATS } from "./formats.ts";
import { runFuzz } from "./run-fuzz.ts";

/** A few files of each format; `npm run fuzz` reads thousands. */
const FILES = 6;

it("reads or refuses mutated files of every format in a sentence", async () => {
  const reports = await runFuzz(ALL_FORMATS, { files: FILES, seed: 1 });
  expect(Object.values(reports).flatMap(({ failures }) => failures)).toEqual([]);
  let [read, refused] = [0, 0];
  for (const [format, report] of Object.entries(reports)) {
    expect(report.files, format).toBe(FILES);
    read += report.read;
    refused += report.refused;
  }
  expect(read + refused).toBe(FILES * ALL_FORMATS.length);
  // Otherwise the seeds are no valid files, or the changes none.
  expect(read).toBeGreaterThan(FILES);
  expect(refused).toBeGreaterThan(FILES);
}, 300_000);
