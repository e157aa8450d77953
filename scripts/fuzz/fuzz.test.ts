import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { PLATFORMS, type UploadSlot } from "@stipple/contract";
import { beforeAll, expect, it } from "vitest";
import { ALL_FORMATS, FORMATS } from "./formats.ts";
import { runFuzz, type FormatReport } from "./run-fuzz.ts";

/** A few files of each format; `npm run fuzz` reads thousands. */
const FILES = 6;
const READERS = "packages/pipeline/src/readers";
/** Endings that are read as others are. */
const SAME: Record<string, string> = { ".btf": ".tif", ".tiff": ".tif", ".jpeg": ".jpg" };
/** Slots whose packed files are unpacked as the packed matrix is, and then read as the plain ones are. */
const PLAIN_TABLES = new Set(["counts", "coordinates"]);
/** A slot that is read as another is. */
const LIKE = { lowres: "hires", fine_bins: "h5" };
/** Read what others have read, or find files without reading them. */
const NO_READERS = [
  "space-ranger/open-sample.ts openSpaceRanger",
  "space-ranger/read-counts.ts readCounts",
  "space-ranger/read-h5-matrix.ts readH5Outline",
];

let reports: Record<string, FormatReport>;
beforeAll(async () => {
  reports = await runFuzz(ALL_FORMATS, { files: FILES, seed: 1, called: true });
});

it("reads or refuses mutated files of every format in a sentence", () => {
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
});

it.each([
  // The length of a text is damaged: HDF5 asked for a gigabyte.
  ["h5", 880],
  // A damaged group lists nothing: HDF5 looked for ever for a name in it.
  ["h5ad", 249],
] as const)("refuses what was once too much for it: %s %i", async (format, first) => {
  const reports = await runFuzz([format], { files: 1, first, seed: 1 });
  expect(reports[format]).toMatchObject({ refused: 1, failures: [] });
});

it("has a format for every kind of file that people upload", () => {
  const files = Object.values(FORMATS);
  const slots = PLATFORMS.flatMap(({ slots }): readonly UploadSlot[] => slots);
  const missing = slots
    .filter(({ id }) => !(id in LIKE))
    .flatMap(({ id, recognise, extensions }) =>
      extensions
        .map((extension) => SAME[extension] ?? extension)
        .map((extension) => (PLAIN_TABLES.has(id) ? extension.replace(".gz", "") : extension))
        .filter(
          (extension) => !files.some((file) => recognise.test(file) && file.endsWith(extension)),
        )
        .map((extension) => `${id} ${extension}`),
    );
  expect(missing).toEqual([]);
});

it("calls every reader", async () => {
  const called = new Set(Object.values(reports).flatMap((report) => report.called));
  const readers: string[] = [];
  for (const file of globSync("**/*.ts", { cwd: READERS })) {
    if (file.endsWith(".test.ts")) continue;
    const source = await readFile(`${READERS}/${file}`, "utf8");
    for (const [, name] of source.matchAll(/^export async function ((?:read|open)\w+)/gm)) {
      readers.push(`${file} ${name}`);
    }
  }
  expect(readers.length).toBeGreaterThan(10);
  const missed = readers.filter((reader) => !called.has(reader) && !NO_READERS.includes(reader));
  expect(missed).toEqual([]);
});
