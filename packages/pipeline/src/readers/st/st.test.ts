import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSampleFiles } from "../find-sample-files.ts";
import type { PlacedCounts, Positions } from "../sample.ts";
import { stReader } from "./reader.ts";

let folder: string;
let warnings: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-st-"));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const tsv = (...rows: (string | number)[][]): string =>
  rows.map((row) => `${row.join("\t")}\n`).join("");
const HEADER = ["x", "y", "new_x", "new_y", "pixel_x", "pixel_y", "selected"];
const SPOTS = [
  [2, 3, 2.01, 2.98, 100, 150, 1],
  [3, 3, 3.02, 2.99, 200, 150, 1],
  [2, 4, 1.99, 4.01, 100, 250, 0],
  [3, 4, 3, 3.97, 200, 250, 1],
];
const COORDINATES = tsv(HEADER, ...SPOTS);
const COUNTS = tsv(
  ["", "Actb", "Xist", "__ambiguous"],
  ["2x3", 1, 0, 9],
  ["3x3", 0, 2, 0],
  ["2x4", 5, 5, 5],
  ["3x4", 3, "4.0", 0],
);

async function open(
  counts: string = COUNTS,
  coordinates: string = COORDINATES,
): Promise<PlacedCounts & { positions: Positions; umPerPx: number }> {
  await writeFile(join(folder, "counts.tsv"), counts);
  await writeFile(join(folder, "spots.tsv"), coordinates);
  const files = await findSampleFiles(folder, { platform: "st" });
  const sample = await stReader.open(files, {});
  warnings.push(...sample.scale.warnings);
  const counted = await sample.readCounts({ warn: (message) => warnings.push(message) });
  return { ...counted, positions: sample.positions, umPerPx: sample.scale.micronsPerPixel };
}

function dense({ barcode, genes, counts }: PlacedCounts): Record<string, Record<string, number>> {
  return Object.fromEntries(
    barcode.map((name, row) => {
      const found: Record<string, number> = {};
      for (let k = counts.indptr[row]; k < counts.indptr[row + 1]; k++) {
        found[genes.symbol[counts.indices[k]]] = counts.data[k];
      }
      return [name, found];
    }),
  );
}

const EXPECTED = { "2x3": { Actb: 1 }, "3x3": { Xist: 2 }, "3x4": { Actb: 3, Xist: 4 } };
const GENES_BY_SPOTS = tsv(
  ["", "2x3", "3x3", "2x4", "3x4"],
  ["Actb", 1, 0, 5, 3],
  ["Xist", 0, 2, 5, 4],
);

describe("tables of Spatial Transcriptomics", () => {
  it.each([
    ["spots × genes", COUNTS],
    ["genes × spots", GENES_BY_SPOTS],
    ["quotes and no name above the row names, as R writes", COUNTS.replace("\t", "")],
    ["names with R's X", GENES_BY_SPOTS.replaceAll(/\t(\dx\d)/g, "\tX$1")],
    ["commas", COUNTS.replaceAll("\t", ",")],
    ["Windows line ends", COUNTS.replaceAll("\n", "\r\n")],
    [
      "measured places",
      COUNTS.replace("2x3", "2.01x2.98").replace("3x3", "3.018x2.99").replace("2x4", "1.99x4.01"),
    ],
  ])("are read as %s", async (_what, counts) => {
    const sample = await open(counts);
    expect(dense(sample)).toEqual(EXPECTED);
    expect(sample.umPerPx).toBeCloseTo(2, 10);
    expect(sample.genes.symbol).toEqual(["Actb", "Xist"]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["no header", tsv(...SPOTS)],
    [
      "other order and names",
      tsv(
        ["spot", "selected", "pixelX", "pixelY", "Y", "X"],
        ...SPOTS.map(([x, y, , , px, py, on]) => [
          `${x}x${y}`,
          on ? "TRUE" : "FALSE",
          px,
          py,
          y,
          x,
        ]),
      ),
    ],
    ["row names as R writes", tsv(HEADER, ...SPOTS.map((spot, i) => [i + 1, ...spot]))],
  ])("take coordinates with %s", async (_what, coordinates) => {
    const { positions, ...counted } = await open(COUNTS, coordinates);
    expect(dense({ ...counted })).toEqual(EXPECTED);
    expect([...positions.x]).toEqual([100, 200, 100, 200]);
    expect([...positions.arrayRow]).toEqual([3, 3, 4, 4]);
  });

  it("report spots without a place, and a table that another program saved", async () => {
    const unplaced = [4, 4, 4, 4, "", "", 0];
    await open(COUNTS, tsv(HEADER, ...SPOTS, unplaced).replaceAll("\t", ";"));
    expect(warnings).toEqual([
      expect.stringMatching(/^Another program saved spots\.tsv/),
      expect.stringContaining("spots.tsv"),
    ]);
  });

  it("treat every spot as in tissue if there is no selection, and report what was left out", async () => {
    const sample = await open(
      `${COUNTS}9x9\t1\t1\t1\n`,
      tsv(HEADER.slice(0, 6), ...SPOTS.map((spot) => spot.slice(0, 6))),
    );
    expect(sample.barcode).toHaveLength(4);
    expect(warnings).toEqual([
      "1 of 5 spots in counts.tsv (such as 9x9) has no position in spots.tsv and was dropped.",
    ]);
  });

  it("warn that markers cannot name cells by Ensembl ids", async () => {
    await open(COUNTS.replace("Actb", "ENSG00000075624").replace("Xist", "ENSMUSG00000086503.1"));
    expect(warnings.join()).toMatch(/Ensembl IDs \(such as ENSG00000075624\)/);
  });
});

describe("one clear sentence", () => {
  it.each<[string, string, string, RegExp]>([
    ["an empty table", "", COORDINATES, /counts\.tsv is empty/],
    ["a header alone", tsv(["", "A", "B"]), COORDINATES, /counts\.tsv contains no counts/],
    [
      "normalized values",
      COUNTS.replace("2x3\t1", "2x3\t1.5"),
      COORDINATES,
      /invalid count in line 2 \("1\.5" for 2x3 and Actb\): raw counts/,
    ],
    ["a negative count", COUNTS.replace("2x3\t1", "2x3\t-1"), COORDINATES, /"-1" for 2x3/],
    ["a gap", COUNTS.replace("2x3\t1", "2x3\t"), COORDINATES, /invalid count/],
    ["a cut line", `${COUNTS}5x5\t1\n`, COORDINATES, /1 counts in line 6, but 3 names .* cut/],
    ["barcodes", COUNTS.replace("2x3", "AAAC-1"), COORDINATES, /has a spot named "AAAC-1".*10x12/],
    [
      "several samples",
      COUNTS.replace("2x3", "a_2x3").replace("3x3", "b_3x3"),
      COORDINATES,
      /has spots of several samples \(such as a_2x3 and b_3x3\)/,
    ],
    ["a spot twice", `${COUNTS}2x3\t1\t1\t1\n`, COORDINATES, /lists the spot 2x3 twice/],
    [
      "another sample",
      tsv(["", "A"], ["30x30", 1]),
      COORDINATES,
      /counts\.tsv and spots\.tsv have no spot in common \(30x30 is not among 2x3/,
    ],
    [
      "no selected spot",
      COUNTS,
      tsv(HEADER, ...SPOTS.map((spot) => [...spot.slice(0, 6), 0])),
      /no spot that spots\.tsv marks as selected/,
    ],
    [
      "coordinates without pixels",
      COUNTS,
      tsv(HEADER.slice(0, 4), ...SPOTS.map((spot) => spot.slice(0, 4))),
      /spots\.tsv lacks the columns pixel_x and pixel_y/,
    ],
    [
      "no number",
      COUNTS,
      COORDINATES.replace("\t100\t150", "\tNA\t150"),
      /no number for pixel_x in line 2 \("NA"\)/,
    ],
    [
      "coordinates twice",
      COUNTS,
      COORDINATES + tsv(SPOTS[0]),
      /lists the spot 2x3 twice \(line 6\)/,
    ],
    ["no coordinates", COUNTS, tsv(HEADER), /spots\.tsv contains no spots/],
    ["a single spot", COUNTS, tsv(HEADER, SPOTS[0]), /fewer than two different positions/],
  ])("for %s", async (_what, counts, coordinates, message) => {
    const error = await open(counts, coordinates).then(
      () => null,
      (cause: unknown) => cause as Error,
    );
    expect(error?.name).toBe("InputError");
    expect(error?.message).toMatch(message);
    expect(error?.message).toMatch(/: [^.:]+(\.\w+[^.:]*)*\.$/);
  });

  it("for a folder that lacks a table or contains several samples", async () => {
    const put = (name: string) => writeFile(join(folder, name), `${name}\t1\n`);
    const find = () => findSampleFiles(folder, { platform: "st" });
    await put("A1.tsv.gz");
    await expect(find()).rejects.toThrow(/spot coordinates are missing/);
    await put("A1_selection.tsv");
    expect((await find()).image).toBeNull();
    await put("genes.csv");
    expect((await find()).matrix).toMatchObject({ path: join(folder, "A1.tsv.gz") });
    await put("B1.tsv.gz");
    await expect(find()).rejects.toThrow(
      /contains 2 tables that could hold the counts \(A1\.tsv\.gz and /,
    );
    await put("B1_selection.tsv");
    await expect(find()).rejects.toThrow(/2 tables of spot coordinates.*those of one sample/);
    await rm(join(folder, "A1.tsv.gz"));
    await rm(join(folder, "B1.tsv.gz"));
    await rm(join(folder, "genes.csv"));
    await rm(join(folder, "B1_selection.tsv"));
    await expect(find()).rejects.toThrow(/counts are missing/);
  });
});
