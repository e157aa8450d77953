import type { CorrelationFigures } from "../calibration/correlation-figures.ts";
import type { ReliabilityDiagram } from "../calibration/figures.ts";

/** What `npm run bench:calibration -- --write` measured. */
export interface CalibrationFigures {
  command: string;
  diagrams: ReliabilityDiagram[];
  correlations?: CorrelationFigures[];
}

/** Expected calibration error to reach where the look of cells tells something of their type, and where it does not. */
const TARGET = { told: 0.05, untold: 0.1 } as const;
const BINS = ["0–", ".1–", ".2–", ".3–", ".4–", ".5–", ".6–", ".7–", ".8–", ".9–1"];

function targetOf({ lookTells }: ReliabilityDiagram): number {
  return lookTells ? TARGET.told : TARGET.untold;
}

function reached(diagram: ReliabilityDiagram): boolean {
  return diagram.errorOneOut <= targetOf(diagram);
}

/** Reliability diagrams as tables. */
export function calibrationSection({
  command,
  diagrams,
  correlations = [],
}: CalibrationFigures): string {
  const rows = diagrams.map((diagram) => {
    const { name, way, cells, namedShare, right, error, errorOneOut, errorBefore } = diagram;
    return `| ${name} | ${way === "fit" ? "fit to spots" : "scores"} | ${cells} (${percent(namedShare)}) | ${percent(right)} | ${errorBefore.toFixed(3)} | ${errorOneOut.toFixed(3)} | ${error.toFixed(3)} | ${targetOf(diagram)} | ${reached(diagram) ? "yes" : "no"} |`;
  });
  const bins = diagrams.map(
    (diagram) =>
      `| ${diagram.name} | ${diagram.bins
        .map(({ cells, stated, right }) =>
          stated === null || right === null
            ? "–"
            : `${stated.toFixed(2)} → ${right.toFixed(2)} (${cells})`,
        )
        .join(" | ")} |`,
  );
  return `## Confidence of types

Measured by

\`\`\`
${command}
\`\`\`

on the tissues of \`npm run bench:verdict\` ([what they are](methods/verdict.md)), basic analysis. The map goes from a cell's
posterior, evidence in the spots, purity of the spots, and two figures of the sample (its sureness, and how much the look of
cells adds in held-out spots) to its confidence. It is never judged on what it was fitted to: "tissue held out", the
targets and the diagrams are of a map fitted without that tissue; "kind held out" is of one fitted without any tissue of
that kind (all human breasts, and so on). The map that ships is fitted on all of them. What enters the map was chosen on
these tissues. Cells named with their cluster have a map of their own. Error: mean distance of stated confidence and share
that is right over ten bins, named detected cells. A coarser name is right where the true type belongs to it. The target is ${TARGET.told} where the look of cells tells something of their
types and ${TARGET.untold} where it does not (morphology 0, or an image of something else). It is reached by ${diagrams.filter(reached).length} of ${diagrams.length}.

| tissue | way | named cells (share) | right | error of the posterior | confidence, tissue held out | confidence, kind held out | target | reached |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}

Reliability diagrams: stated confidence → share that is right (cells), by tenths of stated confidence.

| tissue | ${BINS.join(" | ")} |
|---|${BINS.map(() => "---|").join("")}
${bins.join("\n")}

${correlationSection(correlations)}`;
}

/** What genes were expected to reach over single cells, and what they reach. */
function correlationSection(correlations: readonly CorrelationFigures[]): string {
  const rows = correlations.map(({ name, genes, heldout, expected, actual, reliable, covered }) => {
    const ofReliable = reliable
      ? `${reliable.expected.toFixed(2)} → ${reliable.actual.toFixed(2)} (${reliable.genes})`
      : "–";
    return `| ${name} | ${genes} | ${heldout.toFixed(2)} | ${expected.toFixed(2)} → ${actual.toFixed(2)} | ${ofReliable} | ${percent(covered)} |`;
  });
  if (rows.length === 0) return "";
  return `## Expected correlation of genes

Measured by the same command on the same tissues. \`cell_pcc\` of a gene is the correlation that its rate is expected to have,
over all true cells, with what each cell would have counted itself. It goes from the gene's correlation with held-out
spots, the noise of its counts in single cells, its rate's source, and medians of the sample. Every row is of a map that
was fitted without that tissue; the one that ships is fitted on all. Medians over genes, expected → actual; the interval
(\`cell_pcc_low\` to \`cell_pcc_high\`) is to hold 80 % of the genes.

| tissue | judged genes | correlation with held-out spots | all judged genes | reliable genes (number) | genes in their interval |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
