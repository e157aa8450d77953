/**
 * Compares confidence of types and expected correlation of genes with ground truth. On the tissues of bench:verdict,
 * fits the map from a cell's features to the probability that its name is right, and the map from a gene's features to
 * its correlation over single cells, and evaluates both by leave-one-tissue-out and leave-one-kind-out
 * cross-validation. The measured section's left half (../shared/data) weighs as much in the confidence as all of these
 * tissues; its right half is only looked at.
 *
 *   npm run bench:calibration [-- --work DIR --only human,mouse --keep --kept --write]
 *
 * `--write` stores the maps fitted on all tissues (confidence-table.json of cell-types and cell-correlation-table.json of
 * step 4) and the figures (docs/accuracy.json and .md, "Confidence of types" and "Expected correlation of genes").
 * Results are cached in the work folder and reused by later runs and by bench:verdict; `--kept` uses only cached
 * results, and `--keep` keeps the tissues there, so that only changed steps are rerun. About 30 s of CPU per tissue.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { format } from "prettier";
import { probability } from "@stipple/pipeline/cell-types";
import type { Accuracy } from "./accuracy/summary.ts";
import { writeAccuracy } from "./accuracy/write-documents.ts";
import { figuresOf, type ReliabilityDiagram } from "./calibration/figures.ts";
import { correlationFigures } from "./calibration/correlation-figures.ts";
import { measuredNames } from "./calibration/measured-names.ts";
import { calibrationError } from "@stipple/tissue/metrics/calibration";
import { fitCorrelation, geneTissues } from "./calibration/fit-correlation.ts";
import { fitMap, namedTissues, type NamedTissue } from "./calibration/fit-map.ts";
import { judgeAsAsked } from "./judged-tissues/judge-all.ts";
import { sectionOf } from "./judged-tissues/tissues.ts";

const { judgments: judged, write, work } = await judgeAsAsked();
const measured = await measuredNames(work);

const ROOT = resolve(import.meta.dirname, "../..");
const STEPS = join(ROOT, "packages/pipeline/src/steps");
const TABLE = join(ROOT, "packages/pipeline/src/cell-types/confidence-table.json");
const CORRELATION_TABLE = join(STEPS, "4-vector-transformation/cell-correlation-table.json");
const STYLE = { parser: "json", printWidth: 100 } as const;
const tissues = namedTissues(judged);
const diagrams: ReliabilityDiagram[] = tissues.map((tissue) => {
  const by = (known: readonly NamedTissue[]): number[] => {
    const map = fitMap(known, measured?.left);
    return tissue.given.map(({ signals, way }) => probability(map[way], signals));
  };
  return figuresOf(
    tissue,
    by(tissues.filter((other) => other.tissue.kind !== tissue.tissue.kind)),
    by(tissues.filter((other) => sectionOf(other.tissue) !== sectionOf(tissue.tissue))),
  );
});
for (const { name, way, error, errorOneOut, errorBefore } of diagrams) {
  console.log(
    `${name} (${way}): error ${error.toFixed(3)} with this kind of tissue held out, ${errorOneOut.toFixed(3)} with this tissue; raw posterior ${errorBefore.toFixed(3)}`,
  );
}
const table = fitMap(tissues, measured?.left);
console.log(JSON.stringify(table));
for (const half of ["left", "right"] as const) {
  if (!measured) break;
  for (const way of ["fit", "counts"] as const) {
    const cells = measured[half].flat().filter((name) => name.given && name.way === way);
    const error = calibrationError(
      cells.map(({ signals }) => probability(table[way], signals)),
      cells.map(({ right }) => right),
    );
    console.log(`measured section, ${half} half (${way}): error ${error.toFixed(3)}`);
  }
}

const byGene = geneTissues(judged);
const correlations = byGene.map((tissue) => correlationFigures(tissue, byGene));
for (const { name, heldout, expected, actual, reliable, covered } of correlations) {
  console.log(
    `${name}: held-out ${heldout}, expected ${expected}, actual ${actual}; reliable genes: expected ${reliable?.expected}, actual ${reliable?.actual}; ${(100 * covered).toFixed(0)}% in the interval`,
  );
}
const correlationTable = fitCorrelation(byGene);
console.log(JSON.stringify(correlationTable));
if (write) {
  await writeFile(TABLE, await format(JSON.stringify(table), STYLE));
  await writeFile(CORRELATION_TABLE, await format(JSON.stringify(correlationTable), STYLE));
  const file = join(ROOT, "docs/accuracy.json");
  const figures = JSON.parse(await readFile(file, "utf8")) as Accuracy;
  figures.calibration = {
    command: "npm run bench:calibration -- --write",
    diagrams,
    correlations,
  };
  await writeAccuracy(file.replace(/json$/, "md"), figures);
}
