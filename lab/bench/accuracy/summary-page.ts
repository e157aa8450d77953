import type { CalibrationFigures } from "./calibration-section.ts";
import type { RealCells } from "./real-cells-section.ts";
import type { Accuracy, MethodFigures, TissueFigures } from "./summary.ts";

/** docs/accuracy.md: what a reader needs first; docs/notebook/accuracy.md has every table. */
export function summaryPage(figures: Accuracy): string {
  const { command, analysisType, machine, tissues, note, calibration, realCells } = figures;
  return `# Accuracy on simulated tissues

Accuracy on measured cells is in [real.md](real.md) and counts for more. [All tables](notebook/accuracy.md) give every tissue
with lowest and highest values, settings, and controls. Measured on ${machine} by

\`\`\`
${command}
\`\`\`

or in parts of it (\`--keep\`, \`--join\`, \`--update\`). Each tissue is simulated, rendered, written as Space Ranger files, and
analyzed end to end (${analysisType}) from image and spots alone. Values are means over seeds. Morphology 1: nuclei of different
types look as different as in the simulator's catalog; 0: looks carry no information. Images are as hard to read as real
sections unless called clean ([simulation](simulation.md)). A simulation ranks methods and catches regressions; it does
not guarantee accuracy on real tissue.

${note === undefined ? "" : `${note}\n`}
## Expression

Median over the 306 genes that vary most of the Pearson correlation, over all true cells, with noisy true counts; a missed cell
counts as 0. "Best baseline" is the better of nearest spot and interpolation, with the true cells; "best peer's idea" is the best
of our plain implementations of other methods' ideas, on our cells; "types known" fits one profile to each true type;
"ceiling" is the noise-free rate.

${table(
  ["tissue", "rate", "counts", "best baseline", "best peer's idea", "types known", "ceiling"],
  tissues.map((tissue) => [tissue.name, ...expressionOf(tissue)]),
)}

## Cells, types, and domains

Types: macro-F1 by name over all true cells; a missed or unnamed cell is wrong. Confidence: mean difference between stated
confidence and the share that is right. Domains: adjusted Rand index. Expected: what the report told its reader about the rates
of genes with 50 UMIs or more, and what was true. ${conservationOf(tissues)}

${table(
  ["tissue", "nuclei F1", "types", "confidence error", "domains", "expected → true"],
  tissues.map((tissue) => [tissue.name, ...cellsOf(tissue)]),
)}

${realCells ? realCellsOf(realCells) : ""}
${calibration ? calibrationOf(calibration) : ""}`;
}

function expressionOf({ expression }: TissueFigures): string[] {
  const best = (...ids: MethodFigures["id"][]): string => {
    const means = expression.flatMap(({ id, variable }) =>
      ids.includes(id) ? [variable.mean] : [],
    );
    return means.length === 0 ? "–" : Math.max(...means).toFixed(3);
  };
  return [
    best("rate"),
    best("counts"),
    best("nearest", "interpolation"),
    best("thorLike", "istarLike", "ridge"),
    best("typesFitted"),
    best("noiseFree"),
  ];
}

function cellsOf({ measures }: TissueFigures): string[] {
  const of = (id: string): string =>
    measures.find((measure) => measure.id === id)?.value?.mean.toFixed(3) ?? "–";
  return [
    of("nucleiF1"),
    of("typingF1"),
    of("confidenceError"),
    of("domainAri"),
    `${of("rateExpected")} → ${of("rateCounted")}`,
  ];
}

/** Counts of cells and unassigned ones together equal those of the spots. */
function conservationOf(tissues: readonly TissueFigures[]): string {
  const off = tissues.flatMap(({ measures }) =>
    measures.flatMap(({ id, value }) => (id === "conservation" && value ? [value.high] : [])),
  );
  const most = Math.max(...off);
  return most === 0
    ? "Counts are conserved exactly in every tissue."
    : `Counts are conserved to ${most.toExponential(1)}.`;
}

function realCellsOf({ command, tissues }: RealCells): string {
  const rows = [...new Set(tissues.map(({ cells }) => cells))].map((cells) => {
    const own = tissues.filter((tissue) => tissue.cells === cells);
    const over = (pick: (tissue: (typeof own)[number]) => number): string =>
      mean(own.map(pick)).toFixed(3);
    return [
      cells,
      String(own.length),
      over(({ broad }) => broad),
      over(({ types }) => types),
      over(({ right }) => right),
      over(({ profile }) => profile),
      over(({ clusters }) => clusters),
    ];
  });
  return `## Real cells under rendered images

Means over tissues whose cells carry the counts of real ones (PBMC 68k, STARmap), measured by \`${command}\`. Macro-F1 of names
over all true cells. "Right of named" counts coarser names that include the type; "most similar profile" gives each cell the
label most similar to the spots around it, "clusters" matches each of our clusters to one label by the truth.

${table(
  [
    "cells",
    "tissues",
    "broad classes",
    "types",
    "right of named",
    "most similar profile",
    "clusters",
  ],
  rows,
)}
`;
}

function calibrationOf({ command, diagrams, correlations = [] }: CalibrationFigures): string {
  const off = mean(correlations.map(({ expected, actual }) => Math.abs(expected - actual)));
  const covered = mean(correlations.map((tissue) => tissue.covered));
  return `## Confidence of types and expected correlation

\`${command}\` judges both on the ${diagrams.length} tissues of \`npm run bench:verdict\`, each left out of the fit
(but not of the map for HD slides, which is kept). The stated confidence is off by ${mean(diagrams.map(({ errorOneOut }) => errorOneOut)).toFixed(3)} on average (${mean(diagrams.map(({ error }) => error)).toFixed(3)} with all tissues of its kind left out, ${mean(diagrams.map(({ errorBefore }) => errorBefore)).toFixed(3)} for the
raw posterior). The expected correlation of the median gene (\`cell_pcc\`) is off by ${off.toFixed(3)}, and ${(100 * covered).toFixed(0)}% of the genes lie
in their interval, which should hold 80%.
`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)].join(
    "\n",
  );
}
