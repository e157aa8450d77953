import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSampleFiles } from "../readers/find-sample-files.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import { PLATFORM_FIXTURES } from "../readers/testing/platform-fixtures.ts";
import { analysisSettings } from "../settings.ts";
import { checkOwnFile } from "./check-own-file.ts";
import { lookAtOwnFiles } from "./look-at-own-files.ts";

const folder = mkdtempSync(join(tmpdir(), "own-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
let sample: SampleFiles;
beforeAll(async () => {
  // 19 spots in tissue, 25 px apart, on an image of 400 × 400 px at 2 µm.
  await PLATFORM_FIXTURES.visium(join(folder, "sample"));
  sample = await findSampleFiles(join(folder, "sample"), { platform: "visium" });
});

function put(name: string, document: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}
const look = (added: Partial<SampleFiles>) =>
  lookAtOwnFiles({ ...sample, ...added }, analysisSettings.parse({}), {
    signal: new AbortController().signal,
  });
function square(x: number, y: number, side: number, properties = {}) {
  const [right, bottom] = [x + side, y + side];
  const ring = [
    [x, y],
    [right, y],
    [right, bottom],
    [x, bottom],
  ];
  return { type: "Feature", properties, geometry: { type: "Polygon", coordinates: [ring] } };
}
const collection = (...features: object[]) => ({ type: "FeatureCollection", features });
const landmarks = (...pairs: [number, number, number, number][]) => ({
  landmarks: pairs.map(([x, y, u, v]) => ({ from: [x, y], to: [u, v] })),
});

describe("files that a user adds to a sample", () => {
  it("are described before a run", async () => {
    const found = await look({
      alignment: put(
        "moved.json",
        landmarks([60, 70, 70, 70], [260, 70, 270, 70], [60, 170, 70, 170]),
      ),
      regions: put("regions.geojson", collection(square(0, 0, 400, { name: "All" }))),
      excluded: put("folds.geojson", collection(square(60, 60, 40), square(300, 300, 50))),
      outlines: put(
        "cells.geojson",
        collection(square(70, 70, 6), square(71, 71, 6), square(100, 100, 6), square(380, 380, 6)),
      ),
    });
    expect(found).toEqual({
      alignment: {
        isFault: false,
        sentence:
          "Aligned by moved.json: turned by 0.0°, moved by 20.0 µm in the middle; its 3 landmarks fit to within 0.0 µm.",
      },
      regions: {
        isFault: false,
        sentence: "1 region of 0.640 mm² (All), with 19 of 19 spots in tissue.",
      },
      excluded: {
        isFault: false,
        sentence:
          "2 regions, 0.0164 mm² in all: left out are 1 of 19 spots in tissue, and the cells there.",
      },
      outlines: {
        isFault: false,
        sentence:
          "4 outlines with a median area of 144 µm²: 50% have their center in another one, and 75% lie at spots in tissue.",
      },
    });
  });

  it("are refused one by one if they do not fit the sample", async () => {
    const found = await look({
      alignment: put("loupe.json", { oligo: [{ row: 90, col: 4, imageX: 1, imageY: 2 }] }),
      regions: put("far.geojson", collection(square(900, 0, 50, { name: "Far" }))),
      excluded: put("all.geojson", collection(square(0, 0, 400))),
      outlines: put("large.geojson", collection(square(0, 0, 350))),
    });
    expect(Object.values(found).every(({ isFault }) => isFault)).toBe(true);
    expect(found.alignment!.sentence).toMatch(/^loupe\.json places none of this sample's spots/);
    expect(found.regions!.sentence).toMatch(/^far\.geojson was drawn on another image/);
    expect(found.excluded!.sentence).toMatch(/^The regions in all\.geojson exclude every spot/);
    expect(found.outlines!.sentence).toMatch(/made at another scale/);
  });

  it("are outlined by the largest polygon of each object, however many corners a smaller one has", async () => {
    const speck = Array.from({ length: 12 }, (_, i) => [
      300 + Math.cos(i / 2),
      300 + Math.sin(i / 2),
    ]);
    const parts = (x: number) => ({
      ...square(x, 70, 6),
      geometry: {
        type: "MultiPolygon",
        coordinates: [[speck], square(x, 70, 6).geometry.coordinates],
      },
    });
    const outlines = put("parts.geojson", collection(parts(70), parts(100), parts(130)));
    expect((await look({ outlines })).outlines!.sentence).toMatch(
      /^3 outlines with a median area of 144 µm²/,
    );
  });

  it("are detected cells without the area that was drawn around them, or else what was drawn", async () => {
    const cells = [70, 100, 130].map((x) => square(x, 70, 6, { objectType: "cell" }));
    const drawn = [70, 100].map((x) => square(x, 70, 6, { objectType: "annotation" }));
    const area = square(0, 0, 300, { objectType: "annotation" });
    const count = async (name: string, ...features: object[]) =>
      (await look({ outlines: put(name, collection(...features)) })).outlines!.sentence.slice(
        0,
        11,
      );
    expect(await count("detected.geojson", area, ...cells)).toBe("3 outlines ");
    expect(await count("drawn.geojson", ...drawn)).toBe("2 outlines ");
  });

  it("are refused if outlines lie above or left of the image, as with a y-axis that points up", async () => {
    const outlines = put("up.geojson", collection(square(100, -106, 6), square(130, -306, 6)));
    expect((await look({ outlines })).outlines).toEqual({
      isFault: true,
      sentence:
        "up.geojson was made from another image: its outlines reach x 136, y -306, but the image is 400 × 400 pixels.",
    });
  });

  it("are refused if an array is smaller than it says, before memory is taken for it", async () => {
    const outlines = join(folder, "masks.npy");
    const header = "{'descr': '<i4', 'fortran_order': False, 'shape': (1000000, 1000000), }\n";
    writeFileSync(
      outlines,
      `\x93NUMPY\x01\x00${String.fromCharCode(header.length)}\x00${header}`,
      "latin1",
    );
    expect((await look({ outlines })).outlines).toMatchObject({
      isFault: true,
      sentence: expect.stringMatching(
        /^masks\.npy is cut off: save the masks themselves/,
      ) as string,
    });
  });

  it("are found to be of another sample if few lie at its spots", async () => {
    const outlines = put(
      "elsewhere.geojson",
      collection(square(350, 350, 6), square(360, 300, 6), square(100, 100, 6)),
    );
    expect((await look({ outlines })).outlines!.sentence).toContain(
      "33% lie at spots in tissue, which is little",
    );
  });

  it.each([
    ["alignment", landmarks([0, 0, 1, 1], [9, 9, 8, 8]), /has 2 landmarks, but .* at least 3/],
    [
      "alignment",
      landmarks([0, 0, 1, 1], [9, 9, 8, 8], [9, 0, 5, 5]),
      /landmarks that lie on a line/,
    ],
    ["alignment", { matrix: [[1, 2]] }, /is not an alignment/],
    ["regions", { a: 1 }, /is not GeoJSON/],
    ["excluded", collection(square(0, 0, 5, { objectType: "cell" })), /export the annotations/],
  ] as const)("are refused without their sample: %s", async (kind, document, message) => {
    await expect(checkOwnFile(kind, put("alone.json", document))).rejects.toThrow(message);
  });
});
