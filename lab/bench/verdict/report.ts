import type { Verdict, VerdictGrade } from "@stipple/contract";
import type { Refusal } from "../judged-tissues/judge-all.ts";
import type { Judgment } from "../judged-tissues/judge.ts";
import { isMeasured, TISSUES } from "../judged-tissues/tissues.ts";
import { nameOf } from "../judged-tissues/name-of.ts";
import { deserved, rightNames, RULE, wayToTypes } from "./deserved.ts";

export const HEADING = "## How often each grade is right";

const GRADES: readonly VerdictGrade[] = ["good", "limited", "poor"];

export interface Graded {
  judgment: Judgment;
  verdict: Verdict;
}

/** The section of docs/verdict.md that the bench writes. */
export function verdictSection(graded: readonly Graded[], refused: readonly Refusal[]): string {
  const counted = GRADES.map((given) => {
    const own = graded.filter(({ verdict }) => verdict.grade === given);
    const of = (grade: VerdictGrade): number =>
      own.filter(({ judgment }) => deserved(judgment) === grade).length;
    return `| ${given} | ${own.length} | ${GRADES.map(of).join(" | ")} | ${own.length === 0 ? "–" : `${of(given)} of ${own.length}`} |`;
  });
  const rank = (grade: VerdictGrade): number => GRADES.indexOf(grade);
  const right = graded.filter((one) => one.verdict.grade === deserved(one.judgment)).length;
  const tooHigh = graded.filter(
    ({ verdict, judgment }) => rank(verdict.grade) < rank(deserved(judgment)),
  ).length;
  return `${HEADING}

\`npm run bench:verdict\` simulates small tissues with known truth, analyzes each (basic, steps 0–5), and
compares the grade with the truth. ${graded.length + refused.length} of the ${TISSUES.length} tissues in its list (\`lab/bench/judged-tissues/tissues.ts\`) have been measured. "Measured cells" are blood cells (PBMC 68k) and cortex cells (STARmap) placed under a rendered image.

${RULE}

| Grade given | Tissues | deserved good | deserved limited | deserved poor | right |
|---|---|---|---|---|---|
${counted.join("\n")}

Right for ${right} of ${graded.length}; better than deserved for ${tooHigh}, worse for ${graded.length - right - tooHigh}. ${onMeasured(graded)} ${refusals(refused)}

The confidence of each tissue comes from a map fitted on the others ([Confidence of types](accuracy.md#confidence-of-types-and-expected-correlation)).
[Every tissue](notebook/verdict-tissues.md).
`;
}

/** docs/notebook/verdict-tissues.md. */
export function verdictTissues(graded: readonly Graded[]): string {
  return `# The verdict of every judged tissue

Written by \`npm run bench:verdict -- --write\`; [the verdict](../verdict.md#how-often-each-grade-is-right) explains
the columns.

| Tissue | Grade | Deserved | Distance, reliable genes | Distance, judged genes | Right names | Mean confidence | Reliable genes | Genes from the model |
|---|---|---|---|---|---|---|---|---|
${graded.map(row).join("\n")}
`;
}

/** Counted separately, because thresholds were mostly chosen on simulated cells (docs/verdict.md). */
function onMeasured(graded: readonly Graded[]): string {
  const measured = graded.filter(({ judgment }) => isMeasured(judgment.tissue.kind));
  const right = measured.filter(({ verdict, judgment }) => verdict.grade === deserved(judgment));
  return measured.length === 0
    ? ""
    : `Of the ${measured.length} tissues with measured cells, it was right for ${right.length}.`;
}

function refusals(refused: readonly Refusal[]): string {
  return refused.length === 0
    ? ""
    : `${refused.length} more ${refused.length === 1 ? "was" : "were"} refused before a verdict because image and spots contradict each other: ${refused.map(({ tissue }) => nameOf(tissue)).join("; ")}.`;
}

function row({ judgment, verdict }: Graded): string {
  const { worth, figures } = judgment;
  const way = (of: typeof worth.judged): string => (of === null ? "–" : wayToTypes(of).toFixed(2));
  const names = rightNames(judgment);
  const percent = (share: number): string => `${Math.round(100 * share)}%`;
  return `| ${[
    nameOf(judgment.tissue),
    verdict.grade,
    deserved(judgment),
    way(worth.reliable),
    way(worth.judged),
    names === null ? "–" : percent(names),
    verdict.figures.meanTypeConfidence?.toFixed(2) ?? "–",
    `${figures.reliableGenes} of ${figures.judgedGenes}`,
    percent(figures.genesFromModel),
  ].join(" | ")} |`;
}
