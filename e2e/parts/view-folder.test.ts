import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeTestTiff } from "../../packages/formats/src/tiff/testing/write-tiff.ts";
import { openTissueImage } from "../../packages/pipeline/src/readers/images/open-tissue-image.ts";
import { writeViewer } from "../../packages/pipeline/src/steps/6-projection-analysis/viewer/write-viewer.ts";
import { openBrowser } from "../browser.ts";
import { builtPage, type BuiltPage } from "./built-page.ts";
import { colorAt } from "./color-at.ts";

const SIDE_PX = 800;
const ACROSS = 20;
const N = ACROSS * ACROSS;
const PITCH_PX = SIDE_PX / ACROSS;
const HALF_PX = 8;

let folder: string;
let built: BuiltPage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-view-"));
  await Promise.all([
    writeFolder(join(folder, "viewer")),
    (async () => {
      built = await builtPage(join(import.meta.dirname, "pages/view"));
      browser = await openBrowser({ webgl: true });
      page = await browser.newPage({ viewport: { width: 864, height: 864 } });
      await page.goto(built.url);
    })(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await built?.close();
  await rm(folder, { recursive: true, force: true });
});

/** As step 6 writes it: 20 × 20 cells on a fluorescence image whose second channel is bright in the right half. */
async function writeFolder(view: string): Promise<void> {
  const path = join(folder, "image.tif");
  await writeTestTiff(
    path,
    ["DAPI", "CK"].map((pageName, channel) => ({
      width: SIDE_PX,
      height: SIDE_PX,
      samples: 1,
      pageName,
      data: Uint16Array.from({ length: SIDE_PX ** 2 }, (_, i) =>
        channel === 1 && i % SIDE_PX > SIDE_PX / 2 ? 60_000 : 0,
      ),
    })),
  );
  const image = await openTissueImage(path);
  const xy = Float32Array.from({ length: 2 * N }, (_, i) => {
    const cell = i >> 1;
    return ((i % 2 === 0 ? cell % ACROSS : Math.floor(cell / ACROSS)) + 0.5) * PITCH_PX;
  });
  const positions = { nRows: N, nCols: 2, data: xy };
  const squares = {
    offsets: Uint32Array.from({ length: N + 1 }, (_, cell) => 4 * cell),
    xy: Float32Array.from({ length: 8 * N }, (_, i) => {
      const [cell, corner, axis] = [i >> 3, (i >> 1) & 3, i & 1];
      const isFar = axis === 0 ? corner === 1 || corner === 2 : corner > 1;
      return xy[2 * cell + axis] + (isFar ? HALF_PX : -HALF_PX);
    }),
  };
  const one = { nRows: 1, nCols: 2 };
  const group = (name: string, color: string, count: number) => ({ name, color, count });
  await writeViewer(
    view,
    {
      image,
      fluorescence: true,
      facts: {
        file: "image.tif",
        source: "microscope",
        widthPx: SIDE_PX,
        heightPx: SIDE_PX,
        scale: 1,
        micronsPerPixel: 1,
        channels: 2,
        bitsPerSample: 16,
        tiled: false,
        expectedPx: null,
      },
      scale: {
        micronsPerPixel: 1,
        source: "array_pitch",
        residualPx: null,
        pitchUm: 100,
        spotSizeUm: 55,
        spotShape: "disc",
        warnings: [],
      },
      types: [group("left", "#ff0000", N / 2), group("right", "#00ff00", N / 2)],
      clusters: [group("0", "#888888", N)],
      domains: [],
      spotClusters: [],
      counts: {
        nRows: N,
        nCols: 1,
        indptr: new Uint32Array(N + 1),
        indices: new Uint32Array(),
        data: new Float32Array(),
      },
      cells: {
        xy: positions,
        umap: positions,
        polygons: squares,
        nuclei: squares,
        typeOf: Int32Array.from({ length: N }, (_, cell) => (cell % ACROSS < ACROSS / 2 ? 0 : 1)),
        clusterOf: new Int32Array(N),
        domainOf: null,
        observed: new Uint8Array(N).fill(1),
        evidence: new Uint8Array(N),
        imageQuality: new Uint8Array(N),
        areaUm2: new Float32Array(N),
        nucleusAreaUm2: new Float32Array(N),
        confidence: new Float32Array(N),
        typeMargin: new Float32Array(N),
        rateCv: new Float32Array(N),
      },
      spots: {
        xy: { ...one, data: Float32Array.of(400, 400) },
        array: { ...one, data: Int32Array.of(0, 0) },
        clusterOf: new Int32Array(1),
        totalCounts: new Float64Array(1),
      },
      proteins: null,
      genes: {
        names: ["A"],
        reliable: new Uint8Array(1),
        heldoutPcc: new Float32Array(1),
        rateCv: new Float32Array(1),
        rateSource: new Uint8Array(1),
        unassigned: new Float64Array(1),
      },
    },
    new AbortController().signal,
  );
}

const at = (x: number, y: number): [number, number] => [x + 32, y + 32];

it("draws the folder that an analysis writes, with outlines", async () => {
  await page.getByLabel("Folder").setInputFiles(folder);
  await expect(page.evaluate("openFolder(false)")).resolves.toBeNull();
  await expect.poll(() => colorAt(page, ...at(60, 60))).toEqual([255, 0, 0]);
  await expect.poll(() => colorAt(page, ...at(740, 60))).toEqual([0, 255, 0]);
  await page.evaluate("opened.scene.goTo({ x: 60, y: 60, zoom: 3 })");
  await expect
    .poll(() => page.evaluate("opened.scene.seen()"))
    .toMatchObject({ drawn: N, outlined: true });
});

it("draws its OME-Zarr channels in their colors", async () => {
  await expect(page.evaluate("openFolder(true)")).resolves.toBeNull();
  await expect.poll(() => page.evaluate("told")).toContainEqual(["channels drawn"]);
  const [dark, bright] = [at(40, 40), at(720, 40)];
  await expect.poll(() => colorAt(page, ...dark)).toEqual([0, 0, 0]);
  await expect.poll(async () => Math.max(...(await colorAt(page, ...bright)))).toBeGreaterThan(200);
  await expect(page.evaluate("told")).resolves.not.toContainEqual(["channels failed"]);
});

it("says what is wrong with another folder", async () => {
  await page.getByLabel("Folder").setInputFiles(import.meta.dirname);
  await expect(page.evaluate("openFolder(false)")).resolves.toBe(
    "The folder has no manifest.json: choose the folder of an interactive view.",
  );
});
