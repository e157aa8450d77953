import type { CorrelationFigures } from "../calibration/correlation-figures.ts";
import type { ReliabilityDiagram } from "../calibration/figures.ts";

/** What `npm run bench:calibration -- --write` measured. */
export interface CalibrationFigures {
  command: string;
  diagrams: ReliabilityDiagram[];
  correlations?: CorrelationFigures[];
}

/** Target calibration error if the cells' appearance is informative about their type, and if it is not. */
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
    return `| ${name} | ${way === "fit" ? "fit to spots" : "own counts"} | ${cells} (${percent(namedShare)}) | ${percent(right)} | ${errorBefore.toFixed(3)} | ${errorOneOut.toFixed(3)} | ${error.toFixed(3)} | ${targetOf(diagram)} | ${reached(diagram) ? "yes" : "no"} |`;
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

on the tissues of \`npm run bench:verdict\` ([list](../verdict.md)), basic analysis. A map turns the signals of a
cell into its confidence, one for each way of naming ([inputs](../methods/5-cluster-analysis.md#names-and-confidence)). A map is
never judged on its training data: "tissue held out", the targets, and the diagrams use maps fitted without that
tissue and without the same section at the other bin size; "kind held out" uses maps fitted without any tissue of that kind (all human breasts, and so on). The maps that
ship are fitted on all tissues. The inputs of the maps were chosen on these tissues by both errors. Error: mean difference between
stated confidence and the share that is right over ten bins, for named detected cells. A coarser name is right if the true
type belongs to it. The target is ${TARGET.told} where the look of cells is informative about their types and ${TARGET.untold} where it is not
(morphology 0, or an unrelated image). With the tissue held out, ${diagrams.filter(reached).length} of ${diagrams.length} reach it; the mean error is
${mean(diagrams.map(({ errorOneOut }) => errorOneOut)).toFixed(3)}, with the kind held out ${mean(diagrams.map(({ error }) => error)).toFixed(3)}, and for the raw posterior ${mean(diagrams.map(({ errorBefore }) => errorBefore)).toFixed(3)}.

| tissue | way | named cells (share) | right | error of the posterior | confidence, tissue held out | confidence, kind held out | target | reached |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}

Reliability diagrams: stated confidence → share that is right (number of cells), by tenths of stated confidence.

| tissue | ${BINS.join(" | ")} |
|---|${BINS.map(() => "---|").join("")}
${bins.join("\n")}

${correlationSection(correlations)}`;
}

/** Expected and actual correlation of genes over single cells. */
function correlationSection(correlations: readonly CorrelationFigures[]): string {
  const rows = correlations.map(({ name, genes, heldout, expected, actual, reliable, covered }) => {
    const ofReliable = reliable
      ? `${reliable.expected.toFixed(2)} → ${reliable.actual.toFixed(2)} (${reliable.genes})`
      : "–";
    return `| ${name} | ${genes} | ${heldout.toFixed(2)} | ${expected.toFixed(2)} → ${actual.toFixed(2)} | ${ofReliable} | ${percent(covered)} |`;
  });
  if (rows.length === 0) return "";
  return `## Expected correlation of genes

Measured by the same command on the same tissues. A gene's \`cell_pcc\` is the expected correlation of its rate, over all true
cells, with each cell's own counts. It is computed from the gene's correlation with held-out
spots, the noise of its counts in single cells, its rate's source, medians of the sample, its gain from looks, bins or
spots, the size of bins, and the share of poor image. Every row uses a map
fitted without that tissue in the same way; the one that ships is fitted on all. Medians over genes, expected → actual; the interval
(\`cell_pcc_low\` to \`cell_pcc_high\`) should hold 80% of the genes.

| tissue | judged genes | correlation with held-out spots | all judged genes | reliable genes (number) | genes in their interval |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
