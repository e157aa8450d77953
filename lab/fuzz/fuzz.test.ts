import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { PLATFORMS, type UploadSlot } from "@stipple/contract";
import { isOwnFile, OWN_FILES } from "@stipple/contract/platforms/own-files";
import { named } from "@stipple/contract/recognition/candidate";
import { spaceRangerRole, stRole } from "@stipple/contract/recognition/names";
import { beforeAll, expect, it } from "vitest";
import { ALL_STORED, STORED } from "./damage/stored-files.ts";
import { ALL_FORMATS, FORMATS } from "./formats.ts";
import { damagedFiles, mutatedFiles, runFuzz, type FormatReport } from "./run-fuzz.ts";

/** A few files of each format; `npm run fuzz` reads thousands. */
const FILES = 6;
/** Damaged files of each way to store values under a checksum; `npm run fuzz -- --damage` reads thousands. */
const DAMAGED = 6;
const READERS = ["packages/pipeline/src/readers", "packages/formats/src"];
/** File extensions read the same way as others. */
const SAME: Record<string, string> = { ".btf": ".tif", ".tiff": ".tif", ".jpeg": ".jpg" };
/** Slots whose compressed files are unpacked like the compressed matrix and then read like plain ones. */
const PLAIN_TABLES = new Set(["counts", "coordinates"]);
/** Slots read the same way as others. */
const LIKE = { lowres: "hires", fine_bins: "h5" };
/** Functions that process what others have read, find files without reading them, or read only what steps wrote. */
const NO_READERS = [
  "npy.ts readNpy",
  "space-ranger/open-sample.ts openSpaceRanger",
  "space-ranger/read-counts.ts readCounts",
  "space-ranger/read-counts.ts readSpots",
  "space-ranger/read-h5-matrix.ts readH5Outline",
];

let reports: Record<string, FormatReport>;
beforeAll(async () => {
  reports = await runFuzz(mutatedFiles(ALL_FORMATS), { files: FILES, seed: 1, called: true });
});

it("reads mutated files of every format or refuses them with a sentence", () => {
  expect(Object.values(reports).flatMap(({ failures }) => failures)).toEqual([]);
  let [read, refused] = [0, 0];
  for (const [format, report] of Object.entries(reports)) {
    expect(report.files, format).toBe(FILES);
    read += report.read + report.otherwise;
    refused += report.refused;
  }
  expect(read + refused).toBe(FILES * ALL_FORMATS.length);
  // Otherwise the seeds would be invalid, or the mutations ineffective.
  expect(read).toBeGreaterThan(FILES);
  expect(refused).toBeGreaterThan(FILES);
});

it.each([
  // A corrupt string length: HDF5 requested a gigabyte.
  ["h5", 880],
  // A corrupt group lists nothing: HDF5 searched it for a name forever.
  ["h5ad", 249],
] as const)("refuses a file that once overwhelmed it: %s %i", async (format, first) => {
  const reports = await runFuzz(mutatedFiles([format]), { files: 1, first, seed: 1 });
  expect(reports[format]).toMatchObject({ refused: 1, failures: [] });
});

it("never reads damaged values as others where the format has a checksum", async () => {
  const checked = ALL_STORED.filter((name) => STORED[name].isChecked);
  const reports = await runFuzz(damagedFiles(checked), { files: DAMAGED, seed: 1 });
  for (const [name, { files, refused, otherwise, failures }] of Object.entries(reports)) {
    expect(failures, name).toEqual([]);
    expect([files, otherwise], name).toEqual([DAMAGED, 0]);
    // A change of unused bits is none of the content.
    expect(refused, name).toBeGreaterThan(DAMAGED / 2);
  }
});

/** What the recognizer takes a file of this name for, on any platform. */
function rolesOf(path: string): Set<string | undefined> {
  const file = named({ path });
  return new Set([spaceRangerRole(file), stRole(file)]);
}

it("has a format for every kind of file that people upload", () => {
  const files = Object.values(FORMATS);
  const slots = PLATFORMS.flatMap(({ slots }): readonly UploadSlot[] => slots);
  const missing = slots
    .filter(({ id }) => !(id in LIKE) && !isOwnFile(id))
    .flatMap(({ id, extensions }) =>
      extensions
        .map((extension) => SAME[extension] ?? extension)
        .map((extension) => (PLAIN_TABLES.has(id) ? extension.replace(".gz", "") : extension))
        .filter(
          (extension) => !files.some((file) => rolesOf(file).has(id) && file.endsWith(extension)),
        )
        .map((extension) => `${id} ${extension}`),
    );
  expect(missing).toEqual([]);

  // Files of the user's own are recognized by what they were given for.
  const own = Object.entries(FORMATS).flatMap(([name, file]) =>
    name.startsWith("added-") ? [file] : [],
  );
  const extensions = OWN_FILES.flatMap(({ extensions }): readonly string[] => extensions);
  const unread = extensions
    .map((extension) => SAME[extension] ?? extension)
    .filter((extension) => !own.some((file) => file.endsWith(extension)));
  expect(unread).toEqual([]);
});

it("calls every reader", async () => {
  const called = new Set(Object.values(reports).flatMap((report) => report.called));
  const readers: string[] = [];
  for (const folder of READERS) {
    for (const file of globSync("**/*.ts", { cwd: folder })) {
      if (file.endsWith(".test.ts")) continue;
      const source = await readFile(`${folder}/${file}`, "utf8");
      for (const [, name] of source.matchAll(/^export async function ((?:read|open)\w+)/gm)) {
        readers.push(`${file} ${name}`);
      }
    }
  }
  expect(readers.length).toBeGreaterThan(10);
  const missed = readers.filter((reader) => !called.has(reader) && !NO_READERS.includes(reader));
  expect(missed).toEqual([]);
});
