/**
 * Confidence of types against truth: takes the tissues of bench:verdict, fits the map from what is known of a cell to the
 * probability that its name is right, and tries it on each tissue with that tissue, and with its whole kind, left out of
 * the fit.
 *
 *   npm run bench:calibration [-- --work DIR --only human,mouse --kept --write]
 *
 * `--write` stores the map fitted on all tissues (packages/pipeline/src/steps/5-cluster-analysis/confidence-table.json)
 * and the figures (docs/accuracy.json and .md, "Confidence of types"). What a tissue came to is kept in the work folder:
 * another call, or bench:verdict, computes nothing again, and `--kept` takes nothing else. About 30 s of CPU a tissue.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { format } from "prettier";
import { probability } from "@stipple/pipeline/steps/5-cluster-analysis/confidence";
import { accuracyReport } from "./accuracy/report.ts";
import type { Accuracy } from "./accuracy/summary.ts";
import { figuresOf, type ReliabilityDiagram } from "./calibration/figures.ts";
import { fitMap, namedTissues, type NamedTissue } from "./calibration/fit-map.ts";
import { judgeAsAsked } from "./judged-tissues/judge-all.ts";

const { judgments: judged, write } = await judgeAsAsked();

const ROOT = resolve(import.meta.dirname, "..");
const TABLE = join(ROOT, "packages/pipeline/src/steps/5-cluster-analysis/confidence-table.json");
const tissues = namedTissues(judged);
const diagrams: ReliabilityDiagram[] = tissues.map((tissue) => {
  const by = (known: readonly NamedTissue[]): number[] => {
    const map = fitMap(known)[tissue.way];
    return tissue.cells.map(({ signals }) => probability(map, signals));
  };
  return figuresOf(
    tissue,
    by(tissues.filter((other) => other.tissue.kind !== tissue.tissue.kind)),
    by(tissues.filter((other) => other !== tissue)),
  );
});
for (const { name, way, error, errorOneOut, errorBefore } of diagrams) {
  console.log(
    `${name} (${way}): error ${error.toFixed(3)} with this kind of tissue held out, ${errorOneOut.toFixed(3)} with this tissue; posterior as it is ${errorBefore.toFixed(3)}`,
  );
}
const table = fitMap(tissues);
console.log(JSON.stringify(table));
if (write) {
  await writeFile(TABLE, await format(JSON.stringify(table), { parser: "json" }));
  const file = join(ROOT, "docs/accuracy.json");
  const figures = JSON.parse(await readFile(file, "utf8")) as Accuracy;
  figures.calibration = { command: "npm run bench:calibration -- --write", diagrams };
  await writeFile(file, await format(JSON.stringify(figures), { parser: "json", printWidth: 100 }));
  await writeFile(
    file.replace(/json$/, "md"),
    await format(accuracyReport(figures), { parser: "markdown", printWidth: 100 }),
  );
}
