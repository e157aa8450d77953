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

on the tissues of \`npm run bench:verdict\` ([what they are](methods/verdict.md)), basic analysis. Three maps go from what is
known of a cell to its confidence, one for each way to a name ([what they see](methods/5-cluster-analysis.md#confidence)). A map is
never judged on what it was fitted to: "tissue held out", the targets and the diagrams are of maps fitted without that
tissue; "kind held out" is of maps fitted without any tissue of that kind (all human breasts, and so on). The maps that
ship are fitted on all of them. What enters the maps was chosen on these tissues by both errors. Error: mean distance of
stated confidence and share that is right over ten bins, named detected cells. A coarser name is right where the true
type belongs to it. The target is ${TARGET.told} where the look of cells tells something of their types and ${TARGET.untold} where it does not
(morphology 0, or an image of something else). With the tissue held out it is reached by ${diagrams.filter(reached).length} of ${diagrams.length}; the mean error is
${mean(diagrams.map(({ errorOneOut }) => errorOneOut)).toFixed(3)}, with the kind held out ${mean(diagrams.map(({ error }) => error)).toFixed(3)}, and of the posterior as it is ${mean(diagrams.map(({ errorBefore }) => errorBefore)).toFixed(3)}.

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
spots, the noise of its counts in single cells, its rate's source, medians of the sample, its gain by looks, bins or
spots, and the share of a poor image. Every row is of a map that
was fitted without that tissue; the one that ships is fitted on all. Medians over genes, expected → actual; the interval
(\`cell_pcc_low\` to \`cell_pcc_high\`) is to hold 80 % of the genes.

| tissue | judged genes | correlation with held-out spots | all judged genes | reliable genes (number) | genes in their interval |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
