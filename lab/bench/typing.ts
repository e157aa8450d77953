/**
 * Accuracy of cell naming, on labeled open data and on a simulated sample's ground truth.
 *   node lab/bench/typing.ts [--data ../shared/data] [--sample SIMULATED_SAMPLE] [--temperature N] [--floor N] [--share N] [--verbose]
 *   node lab/bench/typing.ts --rendered [--only NAMES] [--cells DIR] [--image-difficulty N] [--work DIR] [--write] [--verbose]
 * A data label is matched by any of the names listed for it. Clusters come from the labels' source if it has any, else
 * from k-means on the most variable genes. --rendered: tissues of known cells under rendered images; --write puts those
 * of real cells, with the correlation of their rates, into docs/accuracy.json and .md.
 */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { assignTypes } from "@stipple/pipeline/steps/5-cluster-analysis/assign-types";
import { HEADINGS, nameRendered, rowOf, type NamedTissue } from "./typing/name-rendered.ts";
import { RENDERED, tissuesOf, type RenderedTissue } from "./typing/rendered-tissues.ts";
import { writeRealCells } from "./typing/write-real-cells.ts";
import { asSpots, pbmc, simulated, starmap, type LabeledCells } from "./typing-datasets.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: resolve(import.meta.dirname, "../../../shared/data") },
    sample: { type: "string" },
    temperature: { type: "string" },
    floor: { type: "string" },
    share: { type: "string" },
    verbose: { type: "boolean", default: false },
    rendered: { type: "boolean", default: false },
    cells: { type: "string", multiple: true, default: [] },
    work: { type: "string", default: join(tmpdir(), "stipple-typing") },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
    "image-difficulty": { type: "string", default: "1" },
  },
});
if (values.rendered) {
  if (values.write && values["image-difficulty"] !== "1") {
    throw new Error("--write: docs/accuracy.md holds the figures of images of difficulty 1 only");
  }
  const wanted = values.only.split(",");
  const real: { given: RenderedTissue; named: NamedTissue }[] = [];
  console.log(`${HEADINGS}\n|${"---|".repeat(HEADINGS.split("|").length - 2)}`);
  for (const one of [...RENDERED, ...values.cells.flatMap(tissuesOf)]) {
    if (!wanted.some((part) => one.name.includes(part))) continue;
    const found = await nameRendered(values.work, one, {
      verbose: values.verbose,
      rates: values.write,
      imageDifficulty: Number(values["image-difficulty"]),
    });
    console.log(rowOf(found));
    if (one.cells === "pbmc" || one.cells === "starmap") real.push({ given: one, named: found });
  }
  if (values.write) await writeRealCells(real);
  process.exit(0);
}
const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

const sets: LabeledCells[] = [];
const pbmcFile = join(values.data, "scrna-pbmc-reference/pbmc68k.h5ad");
if (existsSync(pbmcFile)) sets.push(await pbmc(pbmcFile));
const starmapFolder = join(values.data, "starmap-mouse-cortex");
if (existsSync(starmapFolder)) sets.push(await starmap(starmapFolder));
if (values.sample) sets.push(await simulated(values.sample));
for (const set of [...sets]) {
  sets.push({ ...set, name: `${set.name}, fitted as spots`, input: asSpots(set.input) });
}

console.log(
  "| data | cells | tissue | right of all | right of named | unknown | macro-F1 | mean confidence of named | calibration error | seconds |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|");
for (const set of sets) {
  const start = performance.now();
  const result = await assignTypes(set.input, {
    signal: new AbortController().signal,
    progress: () => undefined,
    temperature: number(values.temperature),
    floor: number(values.floor),
    clusterShare: number(values.share),
  });
  const seconds = (performance.now() - start) / 1000;
  let [right, named, confidence] = [0, 0, 0];
  /** Confidence minus hits, by tenths of confidence. */
  const excess = new Float64Array(10);
  const table = new Map<string, Map<string, number>>();
  const perLabel = new Map<string, { hit: number; truth: number; called: number }>();
  for (const label of set.accepted.keys()) perLabel.set(label, { hit: 0, truth: 0, called: 0 });
  set.labels.forEach((label, cell) => {
    const name = result.names[result.cellType[cell]];
    const row = table.get(label) ?? new Map<string, number>();
    table.set(label, row.set(name, (row.get(name) ?? 0) + 1));
    const hit = set.accepted.get(label)?.includes(name) ?? false;
    if (name !== "Unknown") {
      named++;
      confidence += result.confidence[cell];
      const tenth = Math.min(9, Math.floor(10 * result.confidence[cell]));
      excess[tenth] += result.confidence[cell] - (hit ? 1 : 0);
    }
    if (hit) right++;
    const own = perLabel.get(label);
    if (own) {
      own.truth++;
      if (hit) {
        own.hit++;
        own.called++;
      }
    }
    if (!hit) {
      const taken = [...set.accepted].find(([, names]) => names.includes(name))?.[0];
      if (taken !== undefined) perLabel.get(taken)!.called++;
    }
  });
  const f1 = [...perLabel.values()]
    .filter(({ truth }) => truth > 0)
    .map(({ hit, truth, called }) => (2 * hit) / Math.max(1, truth + called));
  const macro = f1.reduce((a, b) => a + b, 0) / Math.max(1, f1.length);
  const n = set.labels.length;
  console.log(
    `| ${set.name} | ${n} | ${result.report.tissue} | ${(right / n).toFixed(3)} | ${(right / Math.max(1, named)).toFixed(3)} | ${(1 - named / n).toFixed(3)} | ${macro.toFixed(3)} | ${(confidence / Math.max(1, named)).toFixed(3)} | ${(excess.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, named)).toFixed(3)} | ${seconds.toFixed(2)} |`,
  );
  if (values.verbose) {
    console.log(result.report.species, JSON.stringify(result.report.tissueScores));
    for (const [label, row] of table) {
      const names = [...row].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
      console.log(`${label}: ${names.join(", ")}`);
    }
  }
}
