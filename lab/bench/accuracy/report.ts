import { calibrationSection } from "./calibration-section.ts";
import { realCellsSection } from "./real-cells-section.ts";
import type { Accuracy, Measure, Spread, TissueFigures } from "./summary.ts";

/** docs/notebook/accuracy.md: every figure, the method, and reference values. */
export function accuracyReport({
  command,
  analysisType,
  machine,
  tissues,
  note,
  calibration,
  realCells,
}: Accuracy): string {
  const head = `| | ${tissues.map(({ name }) => name).join(" | ")} |\n|---|${tissues.map(() => "---|").join("")}`;
  const table = (pick: (tissue: TissueFigures) => Measure[]): string =>
    `${head}\n${pick(tissues[0])
      .map(
        ({ name }, row) =>
          `| ${name} | ${tissues.map((tissue) => figure(pick(tissue)[row].value)).join(" | ")} |`,
      )
      .join("\n")}`;
  return `# Accuracy on simulated tissues: all tables

[accuracy.md](../accuracy.md) is the summary; [real.md](../real.md), on measured cells, counts for more.

Every figure here was measured by

\`\`\`
${command}
\`\`\`

or in parts of it (\`--keep\`, \`--join\`, \`--update\`); the seeds and size of every kind are below. Measured
on ${machine}. Each tissue is simulated, rendered, written as Space Ranger files,
and analyzed end to end (${analysisType}) from the image and the spots alone, without the truth.
Values are means over seeds, with the lowest and highest in parentheses. Morphology 1: nuclei of different types look as
different as in the simulator's catalog; 0: looks carry no information. Image difficulty 1: nuclei are found about as well as in
real sections; 0: a clean image, where nearly all are found. [simulation.md](../simulation.md) describes the
tissues and the measures. A simulation ranks methods and catches regressions; it does not guarantee accuracy on real tissue.

${tissues.map(({ name, seeds, setting }) => `- ${name}: seeds ${seeds.join(", ")}; ${setting}`).join("\n")}

${note === undefined ? "" : `${note.replaceAll("](", "](../")}\n`}
## Expression

Median over genes of the Pearson correlation over all true cells with noisy true counts. A missed cell counts as 0.
"306 variable" are the genes whose noise-free rate varies most. The peers' ideas run on the same detected cells and features
as ours, in our own plain implementations: they represent the idea, not the published program.
"Half-way" is midway between the better baseline with true positions and "true types fitted".

${tissues.map(expressionTable).join("\n")}
## Cells, types, domains, conservation

${table((tissue) => tissue.measures)}

Cell types are scored by name over all true cells; a missed or unnamed cell is wrong. The confidence error is the
mean difference between the stated confidence and the share that is right, over ten bins. Conservation is
|Σ cells + unassigned − Σ spots| over all counts. ρ shows how well the product's own estimate of a gene's reliability
(held-out spots) ranks genes compared with the truth. The report states the calibrated expectation
([below](#expected-correlation-of-genes)). The self-test's synthetic twin follows the model and has no missed cells, so its
correlation is mostly higher, on HD about twice as high; it is only compared with that of interpolation in the same twin. Seconds were
measured on a busy machine, so they are upper bounds.

${realCells ? realCellsSection(realCells) : ""}
${calibration ? calibrationSection(calibration) : ""}
## Measures that cannot see wrong cells

Reports of other products correlate per-gene summaries across genes. These figures do not change when all cells are
shuffled, so they say nothing about single cells. They are listed for comparison only.

${table((tissue) => tissue.blind)}
`;
}

function expressionTable({ name, expression }: TissueFigures): string {
  const rows = expression.map(
    ({ name: method, all, variable, markers }) =>
      `| ${method} | ${[all, variable, markers].map(figure).join(" | ")} |`,
  );
  return `### ${name}

| | all genes | 306 variable | markers |
|---|---|---|---|
${rows.join("\n")}
`;
}

/** Mean over seeds with minimum and maximum in parentheses; `–` if nothing was measured. */
function figure(value: Spread | null): string {
  if (!value) return "–";
  const digits = Math.max(Math.abs(value.low), Math.abs(value.high)) >= 10 ? 0 : 3;
  const [mean, low, high] = [value.mean, value.low, value.high].map((v) => v.toFixed(digits));
  return low === high ? mean : `${mean} (${low}–${high})`;
}
