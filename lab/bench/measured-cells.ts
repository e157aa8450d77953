/**
 * Outlines of cells, and ways to assign 2 µm bins to them, on a measured MERFISH section of mouse brain with its own DAPI
 * image (../shared/data/merfish-mouse-brain-if), its transcripts counted in bins or spots.
 *   node lab/bench/measured-cells.ts [--array visium|hd_visium] [--fine-bins] [--out DIR]
 * Rates and the usual controls: npm run bench:real -- --section merfish. About 30 s.
 */
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import type { Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { analysis } from "@stipple/pipeline";
import { analysisSettings } from "@stipple/pipeline/settings";
import { readResult } from "@stipple/pipeline/results";
import { median } from "@stipple/numerics/quantile";
import { pearsonPerGene, type CellPrediction } from "@stipple/tissue/metrics/correlation";
import { detection, matchByCenter, matchByOverlap } from "@stipple/tissue/metrics/detection";
import { selectRows } from "@stipple/tissue/write/feature-matrix";
import { assignments } from "./fine-bins/assignments.ts";
import { writeSample } from "./real/capture.ts";
import { MERFISH, MERFISH_CORNER, readMerfish } from "./real/merfish.ts";

/** Found and measured cells match within 5 µm. */
const CENTER_UM = 5;
const MIN_COUNTS = 50;

const { values } = parseArgs({
  options: {
    array: { type: "string", default: "hd_visium" },
    "fine-bins": { type: "boolean", default: false },
    out: { type: "string", default: join(tmpdir(), "stipple-measured-cells") },
  },
});
const hd = values.array === "hd_visium";
const fine = hd && values["fine-bins"];
const section = await readMerfish();
const input = join(values.out, `${values.array}${fine ? "-2um" : ""}`);
const results = `${input}-results`;
await rm(results, { recursive: true, force: true });
await writeSample(section, fine ? "hd2" : hd ? "hd8" : "visium", input);
await analysis.run({
  input,
  results,
  settings: analysisSettings.parse({
    platform: values.array,
    staining: "if",
    ...(hd ? { resolution: "8" } : {}),
  }),
  threads: 2,
  signal: new AbortController().signal,
  listener: { log: (line) => console.log(`  ${line}`) },
});

/** The measured outlines of whole cells, in image px. */
function outlines(): Polygons {
  const rings = new Map<string, number[]>();
  const lines = gunzipSync(readFileSync(join(MERFISH, "z0_polygons.gz"))).toString("utf8");
  for (const line of lines.trim().split("\n").slice(1)) {
    const [x, y, id] = line.split(",") as [string, string, string];
    const ring = rings.get(id) ?? [];
    ring.push(Number(x) - MERFISH_CORNER[0], -Number(y) - MERFISH_CORNER[1]);
    rings.set(id, ring);
  }
  const all = [...rings.values()];
  const offsets = new Uint32Array(all.length + 1);
  all.forEach((ring, i) => (offsets[i + 1] = offsets[i] + ring.length / 2));
  return { offsets, xy: Float32Array.from(all.flat()).map((um) => um / section.umPerPx) };
}

const known = outlines();
for (const [name, field] of [
  ["nuclei", "nuclei/polygon"],
  ["cells", "cells/polygon"],
] as const) {
  const found = await readResult(results, field);
  const [nTrue, nFound] = [known.offsets.length - 1, found.offsets.length - 1];
  const paired = matchByOverlap(known, found, 0.5).filter((other) => other >= 0).length;
  const { f1, precision, recall } = detection(paired, nFound, nTrue);
  console.log(
    `${name} on outlined cells, overlap ≥ 0.5: F1 ${f1.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${nFound} found, ${nTrue} outlined)`,
  );
}

const px = section.cells.xy.map((um) => um / section.umPerPx);
const xy = await readResult(results, "cells/xy");
const paired = matchByCenter(px, xy.data, CENTER_UM / section.umPerPx);
const found = Array.from(paired.keys()).filter((cell) => paired[cell] >= 0);
const centers = detection(found.length, xy.nRows, paired.length);
console.log(`centers within ${CENTER_UM} µm: F1 ${centers.f1.toFixed(3)}`);

const names = await readResult(results, "genes/symbol");
const place = new Map(names.map((name, column) => [column, section.genes.indexOf(name)]));
const own = await readResult(results, "cells/counts");
const ways = fine ? await assignments(results, join(input, "square_002um.h5")) : {};
for (const [name, counts] of Object.entries({ counts: own, ...ways })) {
  const of = (cells: readonly number[]): string => {
    const truth = selectRows(section.cells.counts, cells);
    const perGene = pearsonPerGene(truth, ofMatched(counts, cells));
    const totals = new Float64Array(truth.nCols);
    truth.indices.forEach((gene, k) => (totals[gene] += truth.data[k]));
    return median(perGene.filter((_, gene) => totals[gene] >= MIN_COUNTS)).toFixed(3);
  };
  const all = [...paired.keys()];
  console.log(
    `${name}: median correlation over ${all.length} cells ${of(all)}, over the ${found.length} that were found ${of(found)}`,
  );
}

/** The counts of the found cell of each of some measured cells; a missed cell counts as 0. */
function ofMatched(counts: SparseMatrix, cells: readonly number[]): CellPrediction {
  return (i, row) => {
    const cell = paired[cells[i]];
    if (cell < 0) return;
    for (let e = counts.indptr[cell]; e < counts.indptr[cell + 1]; e++) {
      const gene = place.get(counts.indices[e])!;
      if (gene >= 0) row[gene] = counts.data[e]!;
    }
  };
}
