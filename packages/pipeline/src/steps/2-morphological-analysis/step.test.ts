import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImageFacts } from "../../facts.ts";
import { openTasks } from "@stipple/tasks/open-tasks";
import { FIELDS, type Field, type FieldKey } from "../../fields.ts";
import type { Read } from "../../views.ts";
import type { StepContext } from "../../step.ts";
import { estimateStains } from "../../optics/estimate-stains.ts";
import { PURPLE_AND_PINK, scatteredDiscs, writeDiscImage } from "./testing/disc-image.ts";
import { checkParameters } from "../../engine/parameters.ts";
import { steps } from "../index.ts";
import { step as morphologicalAnalysis } from "./step.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-step2-"));
});
afterAll(() => rm(folder, { recursive: true }));

const SPOTS = Float64Array.of(100, 100, 300, 100, 200, 273);

/** Runs the step on hand-made fields; returns its outputs and warnings. */
async function run(
  image: string | null,
  facts: Partial<ImageFacts>,
  stain = PURPLE_AND_PINK,
  outlines?: string,
) {
  const fields: Partial<Record<FieldKey, unknown>> = {
    "sample/image": {
      file: image === null ? null : "image.png",
      source: image === null ? "none" : "microscope",
      widthPx: 0,
      heightPx: 0,
      scale: 1,
      micronsPerPixel: 0.5,
      channels: 3,
      bitsPerSample: 8,
      tiled: false,
      ...facts,
    },
    "sample/scale": {
      micronsPerPixel: 0.5,
      source: "array_pitch",
      residualPx: 0,
      pitchUm: 100,
      spotSizeUm: 55,
      spotShape: "disc",
      warnings: [],
    },
    "spots/xy": { nRows: 3, nCols: 2, data: SPOTS },
    "image/stain": stain,
    "image/tissue_mask": { nRows: 1, nCols: 1, data: Uint8Array.of(1) },
  };
  const written: Partial<Record<FieldKey, unknown>> = {};
  const warnings: string[] = [];
  await using tasks = openTasks({ threads: 1 });
  await morphologicalAnalysis.run({
    params: morphologicalAnalysis.params.parse({}),
    settings: { platform: "visium", staining: "h_and_e", analysisType: "basic", seed: 0 },
    files: { image, outlines } as never,
    threads: 1,
    tasks,
    read: (key) => Promise.resolve((fields[key as FieldKey] ?? []) as Read<typeof key>),
    readIfAny: () => Promise.resolve(null),
    write: (key, value) => {
      written[key] = value;
      return Promise.resolve();
    },
    output: (name) => join(folder, name),
    history: [],
    giveBack: () => undefined,
    shared: (path) => join(folder, path),
    progress: () => undefined,
    log: () => undefined,
    warn: (message) => warnings.push(message),
    signal: new AbortController().signal,
  } satisfies StepContext<unknown> as never);
  return {
    warnings,
    get: <K extends FieldKey>(key: K): Field<K> => written[key] as Field<K>,
    keys: Object.keys(written).sort(),
  };
}

/** Fields that the step passes to `write`; figures go to its folder. */
const arrays = morphologicalAnalysis.writes.filter((key) => FIELDS[key].kind !== "files").sort();

describe("Morphological Analysis", () => {
  it("writes all its fields, in full-resolution pixels, and a figure", async () => {
    const path = join(folder, "two.png");
    const discs = [60, 140, 220, 300].flatMap((x) =>
      [60, 140, 220].map((y) => ({ x, y, radius: 8 })),
    );
    await writeDiscImage(path, 400, 300, discs);
    const { get, warnings, keys } = await run(path, { scale: 3 });
    expect(warnings).toEqual([]);
    expect(keys).toEqual(arrays);
    expect(get("sample/segmentation").method).toBe("network");
    expect(get("sample/segmentation").nNuclei).toBe(discs.length);
    const xy = get("cells/xy").data;
    expect(xy[0] / 3).toBeCloseTo(60, 0);
    expect(get("cells/features").nCols).toBe(get("features/name").length);
    expect(new Set(get("features/name")).size).toBe(get("features/name").length);
    expect(get("cells/features").data.every(Number.isFinite)).toBe(true);
    expect(existsSync(join(folder, "segmentation_overview.png"))).toBe(true);
  });

  it("uses finer pixels for a 40x scan and gets the same measurements of the same nuclei", async () => {
    const grid = [60, 140, 220, 300].flatMap((x) => [60, 140, 220].map((y) => ({ x, y })));
    const measured = [];
    for (const zoom of [1, 2]) {
      const path = join(folder, `zoom-${zoom}.png`);
      const discs = grid.map(({ x, y }) => ({ x: zoom * x, y: zoom * y, radius: zoom * 8 }));
      await writeDiscImage(path, zoom * 400, zoom * 300, discs);
      const { get } = await run(path, { micronsPerPixel: 0.5 / zoom });
      expect(get("sample/segmentation").nNuclei).toBe(grid.length);
      const { nCols, data } = get("cells/features");
      const column = get("features/name").indexOf("nucleus_gradient");
      measured.push({
        scale: get("sample/segmentation").workingMicronsPerPixel,
        area: get("sample/segmentation").medianNucleusAreaUm2,
        gradient: data[5 * nCols + column],
      });
    }
    const [coarse, fine] = measured;
    expect([coarse.scale, fine.scale]).toEqual([0.5, 0.34375]);
    expect(fine.area / coarse.area).toBeCloseTo(1, 1);
    expect(fine.gradient / coarse.gradient).toBeGreaterThan(0.75);
    expect(fine.gradient / coarse.gradient).toBeLessThan(1.33);
  });

  it("uses outlines from another program, however few they are", async () => {
    const path = join(folder, "outlined.png");
    await writeDiscImage(path, 400, 300, [{ x: 60, y: 60, radius: 8 }]);
    const outlines = join(folder, "outlines.geojson");
    const [a, b] = [52, 68];
    const coordinates = [
      [
        [a, a],
        [b, a],
        [b, b],
        [a, b],
        [a, a],
      ],
    ];
    const feature = { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates } };
    await writeFile(outlines, JSON.stringify({ type: "FeatureCollection", features: [feature] }));
    const size = { widthPx: 400, heightPx: 300 };
    const { get, warnings } = await run(path, size, PURPLE_AND_PINK, outlines);
    expect(warnings).toEqual([]);
    expect(get("sample/segmentation")).toMatchObject({ method: "given", nNuclei: 1 });
  });

  it("warns about outlines that lie beside the nuclei", async () => {
    const path = join(folder, "beside.png");
    const discs = scatteredDiscs(600, 600, 30);
    await writeDiscImage(path, 600, 600, discs);
    const square = [-6, 6, 6, -6, -6].map((dx, corner) => [dx, [-6, -6, 6, 6, -6][corner]]);
    const features = discs.map(({ x, y }) => ({
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [square.map(([dx, dy]) => [x + dx + 14, y + dy])] },
    }));
    const outlines = join(folder, "beside.geojson");
    await writeFile(outlines, JSON.stringify({ type: "FeatureCollection", features }));
    const size = { widthPx: 600, heightPx: 600 };
    const { get, warnings } = await run(path, size, PURPLE_AND_PINK, outlines);
    expect(warnings).toEqual([
      expect.stringContaining("The outlines in beside.geojson lie beside"),
    ]);
    expect(get("sample/segmentation").warnings).toEqual(warnings);
  });

  it.each([
    ["without an image", null, {}, "no tissue image"],
    ["with an image too coarse", "coarse.png", { micronsPerPixel: 4 }, "too coarse to see nuclei"],
    ["with an image without nuclei", "empty.png", {}, "Almost no nuclei"],
  ])("falls back to whole spots %s, and says so", async (_, name, facts, words) => {
    const path = name === null ? null : join(folder, name);
    if (path !== null) await writeDiscImage(path, 400, 300, []);
    const { get, warnings, keys } = await run(path, facts);
    expect(keys).toEqual(arrays);
    expect(get("sample/segmentation").method).toBe("spot_level");
    expect(get("sample/segmentation").fallbackReason).toContain(words);
    expect(warnings.join()).toContain(words);
    expect([...get("cells/xy").data]).toEqual([...SPOTS]);
    expect(get("cells/area_um2")[0]).toBeCloseTo(Math.PI * 27.5 ** 2, 1);
  });

  const crop = resolve(
    import.meta.dirname,
    "../../../../../../shared/data/visium-mouse-brain-crop",
  );
  it.runIf(existsSync(crop))("finds the nuclei of a real mouse brain", async () => {
    const part = join(folder, "brain.png");
    await sharp(join(crop, "image.tif"))
      .extract({ left: 200, top: 300, width: 500, height: 500 })
      .png()
      .toFile(part);
    const { get } = await run(
      part,
      { micronsPerPixel: 0.725 },
      estimateStains(new Uint8Array(0), [245, 245, 245]),
    );
    const report = get("sample/segmentation");
    expect(report.method).toBe("network");
    // 0.13 mm²; brain has several thousand nuclei per mm² of section. This guards against gross failure; it does not
    // measure accuracy.
    expect(report.nNuclei).toBeGreaterThan(150);
    expect(report.nNuclei).toBeLessThan(400);
    expect(report.medianNucleusAreaUm2).toBeGreaterThan(25);
    expect(report.medianNucleusAreaUm2).toBeLessThan(80);
  });

  it("refuses limits between which no nucleus could be, instead of finding none", () => {
    const withLeast = (minAreaUm2: number) => (): void =>
      checkParameters(steps, {
        "morphological-analysis": { nuclei: { network: { minAreaUm2 } } },
      });
    expect(withLeast(600)).toThrow(
      "The parameter morphological-analysis.nuclei.network.minAreaUm2 must be less than maxAreaUm2, or no nucleus would be found.",
    );
    expect(withLeast(499)).not.toThrow();
  });
});
