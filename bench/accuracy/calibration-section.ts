import type { ReliabilityDiagram } from "../calibration/figures.ts";

/** What `npm run bench:calibration -- --write` measured. */
export interface CalibrationFigures {
  command: string;
  diagrams: ReliabilityDiagram[];
}

/** Expected calibration error to reach where the look of cells tells something of their type, and where it does not. */
const TARGET = { told: 0.05, untold: 0.1 } as const;
const BINS = ["0–", ".1–", ".2–", ".3–", ".4–", ".5–", ".6–", ".7–", ".8–", ".9–1"];

/** Reliability diagrams as tables. */
export function calibrationSection({ command, diagrams }: CalibrationFigures): string {
  const rows = diagrams.map(
    ({ name, way, cells, namedShare, right, error, errorOneOut, errorBefore, morphology }) => {
      const target = morphology > 0 ? TARGET.told : TARGET.untold;
      return `| ${name} | ${way === "fit" ? "fit to spots" : "scores"} | ${cells} (${percent(namedShare)}) | ${percent(right)} | ${errorBefore.toFixed(3)} | ${errorOneOut.toFixed(3)} | ${error.toFixed(3)} | ${target} | ${error <= target ? "yes" : "no"} |`;
    },
  );
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

on tissues of 1 mm a side, basic analysis. The map from a cell's posterior, evidence in the spots, purity of the
spots and the sureness of the sample to its confidence is fitted on all tissues. "Kind held out" and the diagrams use a map
that was fitted without any tissue of that kind ("simulated human breast" without every human row, and so on); "tissue
held out" leaves out that row alone. What enters the map was chosen on these tissues. Error: mean distance of stated confidence and
share that is right over ten bins, named detected cells. A coarser name than the true type counts as wrong.

| tissue | way | named cells (share) | right | error of the posterior | confidence, tissue held out | confidence, kind held out | target | reached |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}

Reliability diagrams: stated confidence → share that is right (cells), by tenths of stated confidence.

| tissue | ${BINS.join(" | ")} |
|---|${BINS.map(() => "---|").join("")}
${bins.join("\n")}
`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
