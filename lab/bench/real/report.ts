import type { RealFigures } from "./judge.ts";
import type { TrueMixFigures } from "./names-by-true-mix.ts";

/** Content of docs/real.json: figures of the pancreas section by capture, and of a piece of mouse brain. */
export interface RealResults {
  captures: Record<string, RealFigures>;
  /** Half of the transcripts captured; judged by the other half. */
  byOthers: Record<string, RealFigures>;
  /** Typed by the labeled cells of the right half; judged on the left half. */
  withReference: Record<string, RealFigures>;
  /** A section without known types. */
  merfish: Record<string, RealFigures>;
}

const CAPTURES: Record<string, string> = {
  visium: "Visium spots",
  hd16: "HD, 16 µm bins",
  hd8: "HD, 8 µm bins",
  hd2: "HD, 8 µm bins with 2 µm bins",
  "merfish hd8": "mouse brain, HD, 8 µm bins",
};

/** docs/real.md. */
export function realReport({ captures, byOthers, withReference, merfish }: RealResults): string {
  const ofMerfish = Object.fromEntries(
    Object.entries(merfish).map(([capture, figures]) => [`merfish ${capture}`, figures]),
  );
  return `# Accuracy on measured cells

A section of a human pancreas tumor, imaged in situ with 377 genes (10x Genomics, Xenium; 23,173 cells on 2.1 × 2.1 mm):
its transcripts were counted in Visium spots (55 µm, no bleed) and HD bins and analyzed with its own three-channel
fluorescence image. Every figure is measured by

\`\`\`
npm run bench:real -- --captures visium,hd16,hd8 --write
npm run bench:real -- --captures visium,hd16,hd8 --captured 0.5 --write
npm run bench:real -- --captures visium,hd8 --reference --write
npm run bench:real -- --section merfish --captures hd8 --write
\`\`\`

Median cells have 25 counts, so correlations are low for every method: compare them with the controls.

## Cell types

Types and labels are compared over all measured cells except those labeled ambiguous; a cell that was not found counts as
wrong. "Broad" accepts a right lineage. "Wrong" and "absent" are shares of the named cells: a coarser name that includes
the right one is not wrong. "Clusters" is the macro-F1 of our own clusters, each matched to one label.
"True mix": looks of types, learned from the other half, times the true mix of types in the spots around the cell.

${nameTable(captures)}

With the labeled cells of the right half as a reference, on the left half:

${nameTable(withReference)}

**Purity** needs no truth, so it can be measured on any results (\`npm run bench:real -- --purity RESULTS\`): of the UMIs of
markers that the catalog lists for one lineage alone, the share in cells named as of that lineage, and the same after names
are exchanged at random. On HD slides names were made from these counts; on Visium the model shared them.

${purityTable({ ...captures, ...ofMerfish })}

## Expression

Median over genes with at least 50 counts of the Pearson correlation with each cell's own counts, over all measured cells; a
missed cell counts as 0. **As captured**: spots or bins count the same transcripts that cells are judged by. Their counting
noise then counts as signal, which favors methods that smooth least. **By others**: half of the transcripts, drawn at
random, are captured, and cells are judged by the other half. This is the purpose of a rate, tested at half the depth.

${Object.keys(captures)
  .map(
    (capture) => `### ${CAPTURES[capture]}\n\n${rateTable(captures[capture], byOthers[capture])}`,
  )
  .join("\n\n")}

### Mouse brain

A piece of 0.5 × 0.45 mm, imaged in situ (Vizgen, MERFISH; 483 cells with 412 genes), with its DAPI image. The published
outlines hold 40% of its transcripts. Types are not known.

${Object.entries(merfish)
  .map(([capture, figures]) => `${CAPTURES[capture]}:\n\n${rateTable(figures)}`)
  .join("\n\n")}
`;
}

/** Methods × (all genes, the most variable, markers), as captured and, if measured, by other transcripts. */
function rateTable({ rates }: RealFigures, others?: RealFigures): string {
  const groups = ["all genes", "306 variable", "markers"];
  const headings = others
    ? [
        ...groups.map((group) => `${group}, as captured`),
        ...groups.map((group) => `${group}, by others`),
      ]
    : groups;
  const rows = Object.entries(rates).map(([method, values]) =>
    [METHODS[method] ?? method, ...[...values, ...(others?.rates[method] ?? [])].map(three)].join(
      " | ",
    ),
  );
  return [
    `| | ${headings.join(" | ")} |`,
    `${"|---".repeat(headings.length + 1)}|`,
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
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
  const rows = Object.entries(captures).flatMap(([capture, { detection, names, byTrueMix }]) =>
    names === null
      ? []
      : [
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
          ...(byTrueMix ? [trueMixRow(capture, detection, byTrueMix)] : []),
        ],
  );
  const headings =
    "| | detection F1 | accuracy | macro-F1 | broad | wrong | confidence of wrong | absent | unknown | calibration error | clusters |";
  return [headings, "|---".repeat(11) + "|", ...rows.map((row) => `| ${row} |`)].join("\n");
}

/** A row of the table of names that has only the first three figures. */
function trueMixRow(capture: string, detection: number, figures: TrueMixFigures): string {
  const { accuracy, macroF1 } = figures;
  const known = [detection, accuracy, macroF1].map(three).join(" | ");
  return `${CAPTURES[capture]}, true mix | ${known}${" | –".repeat(7)}`;
}

function purityTable(all: Record<string, RealFigures>): string {
  const rows = Object.entries(all).flatMap(([capture, { purity }]) =>
    purity
      ? [`| ${CAPTURES[capture] ?? capture} | ${three(purity.named)} | ${three(purity.shuffled)} |`]
      : [],
  );
  return ["| | purity | names exchanged |", "|---|---|---|", ...rows].join("\n");
}

function three(value: number): string {
  return value.toFixed(3);
}
