import { calibrationSection } from "./calibration-section.ts";
import { realCellsSection } from "./real-cells-section.ts";
import type { Accuracy, Measure, Spread, TissueFigures } from "./summary.ts";

/** docs/accuracy.md: what was measured, how, and beside what it has to be read. */
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
    `${head}\n${pick(tissues[0]!)
      .map(
        ({ name }, row) =>
          `| ${name} | ${tissues.map((tissue) => figure(pick(tissue)[row]!.value)).join(" | ")} |`,
      )
      .join("\n")}`;
  return `# Accuracy on simulated tissues

Every figure here was measured by

\`\`\`
${command}
\`\`\`

or in parts of it (\`--keep\`, \`--join\`): every kind's seeds and size stand below. Measured
on ${machine}. Each tissue is simulated, rendered, written as Space Ranger files
and analyzed end to end (${analysisType}) from the image and the spots alone; nothing of the truth enters.
Values are means over seeds with the lowest and highest in brackets. Morphology 1: nuclei look as different
among types as in the simulator's catalog; 0: they tell nothing. Image difficulty 1: nuclei are found about as well as in real
sections; 0: a clean image, where nearly all are. How tissues are made and what each measure means is
in [methods/simulation.md](methods/simulation.md). A simulation ranks methods and catches regressions; it is no
promise for a real tissue.

${tissues.map(({ name, seeds, setting }) => `- ${name}: seeds ${seeds.join(", ")}; ${setting}`).join("\n")}

${note === undefined ? "" : `${note}\n`}
## Expression

Median over genes of the Pearson correlation over all true cells, against noisy true counts. A cell that was not
found counts as 0. "306 variable" are the genes whose noise-free rate varies most. The peers' ideas run on the same
found cells and features as ours, in plain versions of our own: they stand for the idea, not for the published program.
"Half-way" lies between the better baseline with true positions and "true types fitted".

${tissues.map(expressionTable).join("\n")}
## Cells, types, domains, conservation

${table((tissue) => tissue.measures)}

Cell types are scored by name over all true cells; a missed or unnamed cell is wrong. The error of the confidence is the
mean distance between the stated confidence and the share that is right, over ten bins. Conservation is
|Σ cells + unassigned − Σ spots| over all counts. ρ says whether the product's own estimate of a gene's reliability
(held-out spots) ranks genes as the truth does. The self-test is what the product tells its user to expect, from a
synthetic twin. The twin believes the model and knows no missed cells; on HD it expects far too much. Seconds were taken
while the machine had other work, so they are upper bounds.

${realCells ? realCellsSection(realCells) : ""}
${calibration ? calibrationSection(calibration) : ""}
## Measures that cannot see wrong cells

Reports of other products correlate per-gene summaries across genes. The figures stay what they are when all cells are
shuffled among each other, so they say nothing about single cells. They stand here for comparison only.

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

/** Mean over seeds with the lowest and highest in brackets, `–` where nothing was measured. */
function figure(value: Spread | null): string {
  if (!value) return "–";
  const digits = Math.max(Math.abs(value.low), Math.abs(value.high)) >= 10 ? 0 : 3;
  const [mean, low, high] = [value.mean, value.low, value.high].map((v) => v.toFixed(digits));
  return low === high ? mean! : `${mean} (${low}–${high})`;
}
