/**
 * How often the verdict's grades are right: makes tissues with known truth, analyzes them, and compares each grade with
 * the true quality of the single-cell results.
 *
 *   npm run bench:verdict [-- --work DIR --only human,wrong --keep --kept --write]
 *
 * `--write` updates the section of docs/verdict.md. Results are cached in the work folder and reused by later
 * runs and by bench:calibration; `--kept` uses only cached results, and `--keep` keeps the tissues there, so that only
 * changed steps are rerun. About 30 s of CPU per tissue.
 */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { median } from "@stipple/numerics/quantile";
import table from "../../packages/pipeline/src/steps/4-vector-transformation/cell-correlation-table.json" with { type: "json" };
import { probability } from "@stipple/pipeline/cell-types";
import { judge } from "@stipple/pipeline/internal/steps/7-finalization/verdict/verdict";
import { format } from "prettier";
import { fitMap, namedTissues } from "./calibration/fit-map.ts";
import { measuredNames } from "./calibration/measured-names.ts";
import { judgeAsAsked } from "./judged-tissues/judge-all.ts";
import type { Judgment } from "./judged-tissues/judge.ts";
import { nameOf } from "./judged-tissues/name-of.ts";
import { sectionOf } from "./judged-tissues/tissues.ts";
import { HEADING, verdictSection, verdictTissues, type Graded } from "./verdict/report.ts";
import { deserved } from "./verdict/deserved.ts";

const { judgments: all, write, work } = await judgeAsAsked();
const DOCUMENT = resolve(import.meta.dirname, "../../docs/verdict.md");
const TISSUES_DOCUMENT = resolve(import.meta.dirname, "../../docs/notebook/verdict-tissues.md");

const named = namedTissues(all);
const measured = await measuredNames(work);

/** Uses confidence from a map not fitted on this section, unlike the shipped one. */
function graded(judgment: Judgment): Graded {
  const { figures, segmentation, spotNoun } = judgment;
  const map = fitMap(
    named.filter(({ tissue }) => sectionOf(tissue) !== sectionOf(judgment.tissue)),
    measured?.left,
  );
  const given = judgment.names.filter((name) => name.given);
  const sum = given.reduce((all, { signals, way }) => all + probability(map[way], signals), 0);
  // Recompute instead of reading the results: the table may have been refitted since.
  const expected = judgment.worth.genes
    .filter(({ varies }) => varies)
    .map(({ signals }) => Math.tanh(signals.reduce((z, s, i) => z + s * table.weights[i], 0)));
  const expectedCorrelation =
    figures.expectedCorrelation === null || expected.length === 0 ? null : median(expected);
  const meanTypeConfidence = given.length > 0 ? sum / given.length : null;
  const sample = {
    figures: { ...figures, meanTypeConfidence, expectedCorrelation },
    segmentation,
    spotNoun,
    registration: { mismatch: null, doubt: null },
    namedBy: "markers" as const,
  };
  return { judgment, verdict: judge(sample) };
}

const refused = all.filter((one) => "refused" in one);
const grades = all.filter((one) => "figures" in one).map(graded);
for (const { judgment, verdict } of grades) {
  const reasons = verdict.reasons.map(({ topic, grade }) => `${topic} ${grade}`).join(", ");
  console.log(
    `${nameOf(judgment.tissue)}: ${verdict.grade}, deserved ${deserved(judgment)} (${reasons})`,
  );
}
for (const { tissue, refused: reason } of refused)
  console.log(`${nameOf(tissue)}: refused. ${reason}`);
if (write) {
  const text = await readFile(DOCUMENT, "utf8");
  const before = text.includes(HEADING) ? text.slice(0, text.indexOf(HEADING)) : `${text}\n`;
  for (const [file, document] of [
    [DOCUMENT, before + verdictSection(grades, refused)],
    [TISSUES_DOCUMENT, verdictTissues(grades)],
  ] as const) {
    await writeFile(file, await format(document, { parser: "markdown", printWidth: 100 }));
  }
}
