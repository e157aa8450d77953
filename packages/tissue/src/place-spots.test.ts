import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { moved, type Affine } from "@stipple/contract/affine";
import { simulateTissue } from "./simulate-tissue.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { readResult } from "@stipple/pipeline/results";

const folder = mkdtempSync(join(tmpdir(), "stipple-alignment-"));
const tissue = join(folder, "tissue");
const POSITIONS = join(tissue, "spatial/tissue_positions.csv");
const file = join(folder, "alignment.json");
const settings = analysisSettings.parse({ platform: "visium", staining: "h_and_e" });
/** Turned by 2.9°, 2% larger, and shifted. */
const OFF: Affine = [1.0187, -0.0516, 21, 0.0516, 1.0187, -13];
let right: string;
let places: { row: string; col: string; x: number; y: number }[];

/** The spots' positions after the first step with these files, and what it logged. */
async function firstStep(alignment?: string) {
  const results = mkdtempSync(join(folder, "results-"));
  const lines: string[] = [];
  await analysis.runStep(0, {
    input: tissue,
    results,
    settings,
    ...(alignment !== undefined && { alignment }),
    threads: 1,
    signal: new AbortController().signal,
    listener: { log: (line) => lines.push(line) },
  });
  const scale = await readResult(results, "sample/scale");
  return { xy: (await readResult(results, "spots/xy")).data, scale, log: lines.join("\n") };
}
function given(document: unknown): Promise<void> {
  return writeFile(file, JSON.stringify(document));
}

describe("an alignment of spots", () => {
  beforeAll(async () => {
    await simulateTissue({ out: tissue, seed: 4, sizeUm: 500, umPerPx: 0.8, nGenes: 200 });
    right = await readFile(POSITIONS, "utf8");
    const [head, ...lines] = right.trim().split("\n");
    const names = head.split(",");
    const at = (name: string): number => names.indexOf(name);
    places = [];
    const turned = lines.map((line) => {
      const cells = line.split(",");
      const [x, y] = [
        Number(cells[at("pxl_col_in_fullres")]),
        Number(cells[at("pxl_row_in_fullres")]),
      ];
      places.push({ row: cells[at("array_row")], col: cells[at("array_col")], x, y });
      const [u, v] = moved(OFF, x, y);
      cells[at("pxl_col_in_fullres")] = String(u);
      cells[at("pxl_row_in_fullres")] = String(v);
      return cells.join(",");
    });
    await writeFile(POSITIONS, [head, ...turned].join("\n"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("puts them where landmarks, or the spots saved by Loupe Browser, also over a CytAssist image, have them", async () => {
    await writeFile(join(folder, "moved.csv"), await readFile(POSITIONS));
    const wrong = await firstStep();
    await given({
      landmarks: [0, 5, 11, 17].map((i) => {
        const { x, y } = places[i * Math.floor(places.length / 18)];
        return { from: moved(OFF, x, y), to: [x, y] };
      }),
    });
    const byLandmarks = await firstStep(file);
    expect(byLandmarks.log).toMatch(
      /Aligned by alignment\.json: turned by -2\.9°, made 2\.0% smaller, moved by [\d.]+ µm in the middle; its 4 landmarks fit to within 0\.0 µm\./,
    );
    expect(byLandmarks.scale.moved).toMatchObject({ source: "landmarks", fit: { points: 4 } });
    await given({
      oligo: places.map(({ row, col, x, y }) => ({
        ...{ x: 1, y: 2, row: Number(row), col: Number(col), dia: 55 },
        ...{ imageX: x, imageY: y, tissue: true },
      })),
      fiducial: [],
    });
    const byLoupe = await firstStep(file);
    const inCytAssist: Affine = [0.1, -0.02, 300, 0.02, 0.1, 40];
    await given({
      oligo: places.map(({ row, col, x, y }) => {
        const [imageX, imageY] = moved(inCytAssist, x, y);
        return { row: Number(row), col: Number(col), imageX, imageY };
      }),
      cytAssistInfo: {
        transformImages: [inCytAssist.slice(0, 3), inCytAssist.slice(3), [0, 0, 1]],
      },
    });
    const byCytAssist = await firstStep(file);
    await writeFile(POSITIONS, right);
    const original = await firstStep();
    await writeFile(POSITIONS, await readFile(join(folder, "moved.csv")));
    expect(Math.abs(wrong.xy[0] - original.xy[0])).toBeGreaterThan(1);
    for (const { xy, scale } of [byLandmarks, byLoupe, byCytAssist]) {
      const off = xy.map((value, i) => Math.abs(value - original.xy[i]));
      expect(Math.max(...off)).toBeLessThan(1e-3);
      expect(scale.micronsPerPixel).toBeCloseTo(original.scale.micronsPerPixel, 4);
    }
  });

  it.each([
    [
      "two landmarks",
      { landmarks: [0, 1].map((i) => ({ from: [i, i], to: [i, i] })) },
      "alignment.json has 2 landmarks, but an alignment needs at least 3: add more, far apart and not on a line.",
    ],
    [
      "landmarks on a line",
      { landmarks: [0, 1, 2].map((i) => ({ from: [i, 2 * i], to: [i, i] })) },
      "alignment.json has landmarks that lie on a line: add one that does not.",
    ],
    [
      "an alignment of an HD slide",
      { cytAssistInfo: { transformImages: [1, 0, 0, 0, 1, 0, 0, 0, 1] } },
      "alignment.json lists no spots, as on HD slides: run Space Ranger with it",
    ],
    ["something else", { a: 1 }, "alignment.json is not an alignment: it needs"],
    [
      "a matrix without area",
      {
        matrix: [
          [1, 1, 0],
          [1, 1, 0],
        ],
      },
      "alignment.json has a matrix that puts all spots on a line: check its numbers.",
    ],
    [
      "spots of another slide",
      { oligo: [{ row: 900, col: 900, imageX: 1, imageY: 1 }] },
      "alignment.json places none of this sample's spots on the image",
    ],
    [
      "spots that are not an array",
      {
        oligo: Array.from({ length: 400 }, (_, i) => ({
          ...{ row: i % 20, col: Math.floor(i / 20) * 2 + (i % 2) },
          ...{ imageX: (i * 7919) % 500, imageY: (i * 104_729) % 500 },
        })),
      },
      "it is the alignment of another slide or capture area.",
    ],
  ])("is refused in one sentence: %s", async (_, document, message) => {
    await given(document);
    await expect(firstStep(file)).rejects.toThrow(message);
  });
});
