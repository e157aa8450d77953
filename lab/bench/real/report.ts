import type { RealFigures } from "./judge.ts";

/** Content of docs/real.json. */
export interface RealResults {
  command: string;
  captures: Record<string, RealFigures>;
  /** Typed by the labeled cells of the right half; judged on the left half. */
  withReference: Record<string, RealFigures>;
}

const CAPTURES: Record<string, string> = {
  visium: "Visium spots",
  hd16: "HD, 16 µm bins",
  hd8: "HD, 8 µm bins",
  hd2: "HD, 8 µm bins with 2 µm bins",
};

/** docs/real.md. */
export function realReport({ command, captures, withReference }: RealResults): string {
  const sections = Object.entries(captures).map(
    ([capture, { rates }]) => `### ${CAPTURES[capture]}

| | all genes | 306 variable | markers |
|---|---|---|---|
${Object.entries(rates)
  .map(([method, values]) => `| ${METHODS[method] ?? method} | ${values.map(three).join(" | ")} |`)
  .join("\n")}`,
  );
  return `# Accuracy on measured cells

A section of a human pancreas tumor, imaged in situ with 377 genes (10x Genomics, Xenium; 23,173 cells on 2.1 × 2.1 mm):
its transcripts were counted in Visium spots (55 µm, no bleed) and HD bins and analyzed with its own three-channel
fluorescence image. Every figure is measured by

\`\`\`
${command}
npm run bench:real -- --captures visium,hd8 --reference --write
\`\`\`

Median cells have 25 counts, so correlations are low for every method: compare them with the controls.

## Cell types

Types and labels are compared over all measured cells except those labeled ambiguous; a cell that was not found counts as
wrong. "Broad" accepts a right lineage. "Wrong" and "absent" are shares of the named cells: a coarser name that includes
the right one is not wrong. "Clusters" is the macro-F1 of our own clusters, each matched to one label.

${nameTable(captures)}

With the labeled cells of the right half as a reference, on the left half:

${nameTable(withReference)}

## Expression

Median over genes with at least 50 counts of the Pearson correlation with each cell's own counts, over all measured cells; a
missed cell counts as 0.

${sections.join("\n\n")}
`;
}

const METHODS: Record<string, string> = {
  rate: "Stipple, inferred rate",
  allocated: "Stipple, expected allocation",
  "nearest spot or bin": "control: nearest spot or bin, true cells",
  interpolated: "control: interpolation, true cells",
  "smoothed bins": "control: smoothed bins, true cells",
  "mean of the true type": "reference: mean of the true type",
  "true types fitted": "reference: true types fitted",
};

function nameTable(captures: Record<string, RealFigures>): string {
  const rows = Object.entries(captures).map(([capture, { detection, names }]) =>
    [
      CAPTURES[capture],
      detection,
      names.accuracy,
      names.macroF1,
      names.broad,
      names.wrong,
      names.confidenceOfWrong,
      names.absent,
      names.unknown,
      names.calibrationError,
      names.clustersOneToOne,
    ]
      .map((value) => (typeof value === "number" ? three(value) : value))
      .join(" | "),
  );
  const headings =
    "| | detection F1 | accuracy | macro-F1 | broad | wrong | confidence of wrong | absent | unknown | calibration error | clusters |";
  return [headings, "|---".repeat(11) + "|", ...rows.map((row) => `| ${row} |`)].join("\n");
}

function three(value: number): string {
  return value.toFixed(3);
}
