import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Annotation, AnnotationKind } from "@stipple/contract";
import { annotationFileText } from "@stipple/contract/annotation-file";
import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import { expandLabels } from "@stipple/numerics/distance-transform";
import { simplifyCoverage } from "@stipple/numerics/simplify-coverage";
import { traceContour } from "@stipple/numerics/trace-contour";
import { keyOfCells } from "../../src/annotations/annotate-cells.ts";
import { step as projectionAnalysis } from "../../src/steps/6-projection-analysis/step.ts";
import { step as finalization } from "../../src/steps/7-finalization/step.ts";
import { writeField } from "../../src/store/field-store.ts";
import { readResult } from "../../src/store/results-folder.ts";
import { runStepOn } from "../../src/store/testing/run-step-on.ts";
import { writeSimulatedResults } from "../../src/store/testing/simulated-results.ts";

const SIDE_PX = 1000;

/**
 * Writes the exports of a small simulated sample and returns its results and exports folders. Its cells fill
 * the tissue and touch each other. `reliable` determines whether any gene is reliable; if none is, the analysis
 * is an advanced one.
 */
export async function writeSimulatedExports(
  folder: string,
  {
    reliable = true,
    genes = 50,
    sampleName = "Kidney 3",
  }: { reliable?: boolean; genes?: number; sampleName?: string } = {},
): Promise<{ results: string; output: string }> {
  const { results, files } = await writeSimulatedResults(folder, {
    cells: 200,
    spots: 20,
    genes,
    sidePx: SIDE_PX,
  });
  const xy = await readResult(results, "cells/xy");
  await writeField(join(results, "step2_output"), "cells/polygon", touchingCells(xy.data));
  await addProteins(results);
  const annotations = await writeAnnotations(folder, xy);
  if (!reliable) {
    const none = new Uint8Array((await readResult(results, "genes/reliable")).length);
    await writeField(join(results, "step4_output"), "genes/reliable", none);
  }
  const settings = {
    sampleName,
    analysisType: reliable ? ("basic" as const) : ("advanced" as const),
  };
  await runStepOn(projectionAnalysis, results, files, {
    params: { figureSidePx: 100, geneFigures: 0 },
    settings,
  });
  const given = { ...files, annotations, regions: await writeRegions(folder) };
  await runStepOn(finalization, results, given, { params: { selfTest: false }, settings });
  return { results, output: join(results, "analysis_results/output") };
}

/** A region of two parts, one of them with a hole. */
async function writeRegions(folder: string): Promise<string> {
  const square = (from: number, to: number): [number, number][] => [
    ...([
      [from, from],
      [to, from],
      [to, to],
      [from, to],
      [from, from],
    ] as [number, number][]),
  ];
  const coordinates = [[square(100, 600), square(200, 300)], [square(700, 800)]];
  const properties = { name: "Nest", classification: { name: "Tumor", color: [170, 0, 0] } };
  const feature = { type: "Feature", geometry: { type: "MultiPolygon", coordinates }, properties };
  const path = join(folder, "regions.geojson");
  await writeFile(path, JSON.stringify({ type: "FeatureCollection", features: [feature] }));
  return path;
}

/** Annotations of the first cells and of all: one of each kind. */
async function writeAnnotations(folder: string, xy: Matrix): Promise<string> {
  const cellsKey = keyOfCells(xy);
  const first = new Uint8Array(Math.ceil(xy.nRows / 8));
  first[0] = 0b111;
  const cells = deflateSync(first).toString("base64");
  const halves = Uint16Array.from({ length: xy.nRows }, (_, cell) => cell % 2);
  const color = "#0011cc";
  const values: [AnnotationKind, object][] = [
    ["name", { of: "type", group: "Astrocyte", label: "Neuron" }],
    ["group", { name: "Odd", color, cells, assigned: "Tanycyte", cellsKey }],
    ["group", { name: "Rim/left", color, cells, assigned: null, cellsKey }],
    [
      "clusters",
      {
        name: "My halves",
        settings: {},
        groups: ["Even", "Odd"].map((name) => ({ name, color })),
        labels: deflateSync(new Uint8Array(halves.buffer)).toString("base64"),
        cellsKey,
      },
    ],
    ["genes", { name: "Stress", genes: ["Gene1", "Gene2"] }],
    ["note", { text: "A vessel", x: 10, y: 20 }],
  ];
  const items = values.map(([kind, value], at) => ({
    ...{ id: `a${at}`, kind, value, revision: 1 },
    ...{ author: "ada@example.org", at: "2026-01-02T03:04:05.000Z" },
  }));
  const path = join(folder, "annotations.json");
  await writeFile(path, annotationFileText(items as Annotation[])!);
  return path;
}

/** Two antibodies: every spot has counts of one and, if its number is even, of the other. */
async function addProteins(results: string): Promise<void> {
  const { nRows } = await readResult(results, "spots/counts");
  const folder = join(results, "step0_output");
  await writeField(folder, "proteins/name", ["CD3", "HLA/DR"]);
  const rows = Array.from({ length: nRows }, (_, spot) => (spot % 2 === 0 ? [0, 1] : [0]));
  const indptr = new Uint32Array(nRows + 1);
  rows.forEach((proteins, spot) => (indptr[spot + 1] = indptr[spot] + proteins.length));
  const indices = Uint32Array.from(rows.flat());
  const data = Float32Array.from(indices, (protein) => 5 + protein);
  await writeField(folder, "spots/protein_counts", { nRows, nCols: 2, indptr, indices, data });
}

/** Cells grown from their centers until they meet, with outlines as in step 2. */
function touchingCells(xy: ArrayLike<number>): Polygons {
  const seeds = new Int32Array(SIDE_PX * SIDE_PX);
  const n = xy.length / 2;
  for (let cell = 0; cell < n; cell++) {
    seeds[Math.floor(xy[2 * cell + 1]) * SIDE_PX + Math.floor(xy[2 * cell])] = cell + 1;
  }
  const labels = expandLabels(seeds, SIDE_PX, SIDE_PX, 45);
  const rings = Array.from({ length: n }, (_, cell) =>
    traceContour(labels, SIDE_PX, SIDE_PX, cell + 1, labels.indexOf(cell + 1), { meetings: true }),
  );
  const offsets = new Uint32Array(n + 1);
  rings.forEach((ring, i) => (offsets[i + 1] = offsets[i] + ring.length / 2));
  return simplifyCoverage({ offsets, xy: Float32Array.from(rings.flat()) }, 0.6);
}

/** Whether Python with this package is available; nothing else in Stipple needs it. */
export function pythonHas(name: string): boolean {
  const script = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${name}') is None)`;
  return spawnSync("python3", ["-c", script]).status === 0;
}

/** Whether R with this package is available. */
export function rHas(name: string): boolean {
  const script = `quit(status = !requireNamespace("${name}", quietly = TRUE))`;
  return spawnSync("Rscript", ["-e", script]).status === 0;
}
