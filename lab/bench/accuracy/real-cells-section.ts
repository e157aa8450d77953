/** Naming results for real cells under one rendered image, compared with their labels. */
export interface RealCellTissue {
  id: string;
  /** Display name of the cells. */
  cells: string;
  seed: number;
  genes: number;
  /** How informative the cells' appearance is about their type. */
  morphology: number;
  trueCells: number;
  broad: number;
  types: number;
  unknown: number;
  /** Share of the named cells with the right name, or a coarser one that includes it. */
  right: number;
  /** Macro-F1 of types when each cell gets the label most similar to the spots around it. */
  profile: number;
  /** Macro-F1 of types when each of our clusters is matched to one label. */
  clusters: number;
  /** Median correlations over genes; null if no gene could be evaluated. */
  rates: {
    rate: number;
    interpolation: number;
    shuffledInSpots: number;
    trueType: number;
  } | null;
}

/** What `node lab/bench/typing.ts --write` measured. */
export interface RealCells {
  command: string;
  tissues: RealCellTissue[];
}

/** Names and rates of real cells as tables. */
export function realCellsSection({ command, tissues }: RealCells): string {
  const name = ({ cells, seed, genes, morphology }: RealCellTissue): string =>
    `${cells} ${seed}, ${genes} genes${morphology === 1 ? "" : `, morphology ${morphology}`}`;
  const types = tissues.map((tissue) => {
    const { broad, unknown, right, profile, clusters } = tissue;
    const figures = [broad, tissue.types, unknown, right, profile, clusters].map(figure);
    return `| ${[name(tissue), tissue.trueCells, ...figures].join(" | ")} |`;
  });
  const rates = tissues.flatMap((tissue) => {
    if (tissue.rates === null) return [];
    const { rate, interpolation, shuffledInSpots, trueType } = tissue.rates;
    return `| ${[name(tissue), ...[rate, interpolation, shuffledInSpots, trueType].map(figure)].join(" | ")} |`;
  });
  return `## Real cells under rendered images

Measured by

\`\`\`
${command}
\`\`\`

on 0.9 mm tissues with simulated image (difficulty 1) and positions, whose cells carry the counts of real ones: human blood (PBMC
68k, 700 cells) and mouse cortex (STARmap, 930 cells). Where not all genes are used, half of the panel are markers of the labels
in the data, or all are random; 2,500 UMIs per spot below 300 genes, else 6,000 ([details](../methods/5-cluster-analysis.md)).
The analysis sees only spots and image. Macro-F1 of names over all true cells; a missed or unnamed cell is wrong,
and a broad name counts as wrong for types, but as right among the named cells if it includes the type. "Most similar profile" gives each cell the label whose mean true cell is most
similar to the surrounding spots; "clusters" scores our clusters, each matched to one label by the truth.

| cells, seed, genes | true cells | broad classes | types | share Unknown | right of named | most similar profile | clusters |
|---|---|---|---|---|---|---|---|
${types.join("\n")}

Median over genes of the correlation, over all true cells, with the rates that the counts were drawn from: for our rates and
for three controls: counts of the spots around each cell, our rates shuffled among the cells of each spot, and the mean of
the cell's true type.

| cells, seed, genes | rate | interpolation | rate, shuffled in spots | true type's mean |
|---|---|---|---|---|
${rates.join("\n")}

A measured MERFISH section has its own image instead of a rendered one (\`node lab/bench/measured-cells.ts\`):
[results](../methods/1-optical-decomposition.md).
`;
}

function figure(value: number): string {
  return value.toFixed(3);
}
