/**
 * Confidence of types against truth: makes tissues (simulated ones, and measured cells under rendered images), types
 * them, fits the map from what is known of a cell to the probability that its name is right, and tries the map on each
 * tissue with that kind of tissue left out of the fit.
 *
 *   npm run bench:calibration [-- --work DIR --seeds 1 --write]
 *
 * `--write` stores the map fitted on all tissues (packages/pipeline/src/steps/5-cluster-analysis/confidence-table.json)
 * and the figures (docs/accuracy.json and .md, "Confidence of types"). Tissues stay in the work folder: a second run only
 * types. About two minutes a tissue the first time.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import {
  probability,
  type ConfidenceTable,
  type TypingWay,
} from "@stipple/pipeline/steps/5-cluster-analysis/confidence";
import { accuracyReport } from "./accuracy/report.ts";
import type { Accuracy } from "./accuracy/summary.ts";
import { figuresOf, type ReliabilityDiagram } from "./calibration/figures.ts";
import { fitLogistic, type WeighedCell } from "../packages/tissue/src/metrics/fit-logistic.ts";
import { judge, type JudgedTissue } from "./calibration/judged-cells.ts";
import { prepare, type CalibrationTissue } from "./calibration/tissues.ts";

const { values } = parseArgs({
  options: {
    work: { type: "string", default: join(tmpdir(), "stipple-calibration") },
    seeds: { type: "string", default: "1" },
    kinds: { type: "string", default: "human,mouse,pbmc,starmap" },
    morphology: { type: "string", default: "1,0.5,0" },
    write: { type: "boolean", default: false },
  },
});

const ROOT = resolve(import.meta.dirname, "..");
const TABLE = join(ROOT, "packages/pipeline/src/steps/5-cluster-analysis/confidence-table.json");
/** Weight of a tissue in the fit, in cells: large ones count no more than small ones. */
const TISSUE_WEIGHT = 500;

function fit(tissues: readonly JudgedTissue[]): ConfidenceTable {
  const of = (way: TypingWay): number[] => {
    const cells = tissues
      .filter((tissue) => tissue.way === way)
      .flatMap(({ signals, right }): WeighedCell[] =>
        signals.map((own, i) => ({
          signals: own,
          right: right[i]!,
          weight: TISSUE_WEIGHT / signals.length,
        })),
      );
    return fitLogistic(cells, 5).map((weight) => Number(weight.toFixed(4)));
  };
  return { fit: of("fit"), scores: of("scores") };
}

const tissues: JudgedTissue[] = [];
for (const kind of values.kinds.split(",") as CalibrationTissue["kind"][]) {
  for (const morphology of values.morphology.split(",").map(Number)) {
    for (const seed of values.seeds.split(",").map(Number)) {
      const tissue = { kind, seed, morphology };
      if ((kind === "pbmc" || kind === "starmap") && !existsSync(resolve(ROOT, "../shared/data"))) {
        console.log(`${kind}: its cells are not on this machine`);
        continue;
      }
      await prepare(values.work, tissue);
      const judged = await judge(values.work, tissue);
      tissues.push(judged);
      console.log(
        `${kind} ${seed}, morphology ${morphology}: by ${judged.way}, ${(100 * judged.namedShare).toFixed(0)} % named, ` +
          `${((100 * judged.right.filter(Boolean).length) / judged.right.length).toFixed(0)} % of these right`,
      );
    }
  }
}

const diagrams: ReliabilityDiagram[] = tissues.map((tissue) => {
  const by = (known: readonly JudgedTissue[]): number[] => {
    const map = fit(known)[tissue.way];
    return tissue.signals.map((signals) => probability(map, signals));
  };
  return figuresOf(
    tissue,
    by(tissues.filter(({ kind }) => kind !== tissue.kind)),
    by(tissues.filter((other) => other !== tissue)),
  );
});
for (const { name, way, error, errorOneOut, errorBefore } of diagrams) {
  console.log(
    `${name} (${way}): error ${error.toFixed(3)} with this kind of tissue held out, ${errorOneOut.toFixed(3)} with this tissue; posterior as it is ${errorBefore.toFixed(3)}`,
  );
}
const table = fit(tissues);
console.log(JSON.stringify(table));
if (values.write) {
  await writeFile(TABLE, await format(JSON.stringify(table), { parser: "json" }));
  const command = `npm run bench:calibration -- --seeds ${values.seeds} --kinds ${values.kinds} --morphology ${values.morphology} --write`;
  const file = join(ROOT, "docs/accuracy.json");
  const figures = JSON.parse(await readFile(file, "utf8")) as Accuracy;
  figures.calibration = { command, diagrams };
  await writeFile(file, await format(JSON.stringify(figures), { parser: "json", printWidth: 100 }));
  await writeFile(
    file.replace(/json$/, "md"),
    await format(accuracyReport(figures), { parser: "markdown", printWidth: 100 }),
  );
}
