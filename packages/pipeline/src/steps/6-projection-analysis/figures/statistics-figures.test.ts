import { expect, it } from "vitest";
import { svgOf } from "../../../figures/figure.ts";
import type { MarkerTable } from "@stipple/contract/statistical-facts";
import type { SpaceResult } from "../spatial-statistics/analyze-in-space.ts";
import { coOccurrenceFigure } from "./co-occurrence-figure.ts";
import { enrichmentFigure, ligandReceptorFigure } from "./statistics-figures.ts";
import { statisticsFigures, type StatisticsContent } from "./list-statistics.ts";

/** Ratios of types that are all mixed, in one step. */
function mixed(types: string[]) {
  const occ = types.map(() => types.map(() => [1]));
  return { types, intervalUm: [0, 20], occ, centers: 100, pairs: 1000 };
}

it("says each type's share of all cells, even where only some types have a panel", async () => {
  const groups = Array.from({ length: 10 }, (_, at) => ({
    name: `Type ${at}`,
    color: "#0072B2",
    count: 100,
  }));
  const figure = coOccurrenceFigure(mixed(groups.map(({ name }) => name)), groups);
  const svg = await svgOf(figure);
  expect(svg.match(/100 · 10\.0%/g)).toHaveLength(9);
});

it("names types in full in the panels and beside them", async () => {
  const names = [
    "CD4-positive, CD25-positive, alpha-beta regulatory T cell",
    "Kidney loop of Henle thick ascending limb epithelial cell",
  ];
  const groups = names.map((name) => ({ name, color: "#0072B2", count: 100_000 }));
  const svg = await svgOf(coOccurrenceFigure(mixed(names), groups));
  expect(svg).not.toContain("…");
  for (const name of names) expect(svg).toContain(`>${name}<`);
  for (const line of ["CD4-positive, CD25-positive,", "alpha-beta regulatory T cell"])
    expect(svg).toContain(`>${line}<`);
});

/** The names of the figures of a sample. */
function figuresOf(content: Partial<StatisticsContent>): string[] {
  const all = {
    genes: [],
    markers: [],
    aucs: [],
    types: [],
    space: null,
    scale: { spotShape: "disc" },
    ...content,
  };
  return statisticsFigures(all as unknown as StatisticsContent).map(([name]) => name);
}

it("draws markers where a group has one, even if its gene with the highest area is none", () => {
  const table = (
    pvalsAdj: number[],
    scores = [3, 3],
    logFoldChanges = [1, 1],
  ): Partial<StatisticsContent> => ({
    markers: [
      {
        ...{ groupBy: "cluster", testedCells: 90, testedSpots: 9, testedGenes: 2 },
        groups: [{ group: "0", genes: ["A", "B"], logFoldChanges, scores, pvalsAdj }],
      } as unknown as MarkerTable,
    ],
    aucs: [{ nRows: 2, nCols: 1, data: Float32Array.of(0.8, 0.7) }],
  });
  expect(figuresOf(table([0.2, 0.01]))).toEqual(["markers_clusters"]);
  expect(figuresOf(table([0.2, 0.1]))).toEqual([]);
  // Spots with more of the group have less of B.
  expect(figuresOf(table([0.2, 0.01], [3, -3]))).toEqual([]);
  // More of the group's cells have counts of B, but fewer of them.
  expect(figuresOf(table([0.2, 0.01], [3, 3], [1, -1]))).toEqual([]);
});

it("draws neighbors of types only where two types have tested cells", () => {
  const spaceOf = (z: number | null, occ: number | null): Partial<StatisticsContent> => ({
    space: {
      statistics: {
        enrichment: {
          types: ["A", "B"],
          zscore: [
            [z, z],
            [z, z],
          ],
        },
        coOccurrence: {
          types: ["A", "B"],
          occ: [
            [[1], [occ]],
            [[occ], [occ]],
          ],
        },
      },
    } as unknown as SpaceResult,
  });
  expect(figuresOf(spaceOf(2, 1))).toEqual(["neighborhood_enrichment", "co_occurrence"]);
  expect(figuresOf(spaceOf(null, null))).toEqual([]);
});

it("says where the colors of z-scores end below the largest", async () => {
  const svgOfLargest = (z: number): Promise<string> =>
    svgOf(
      enrichmentFigure({ types: ["A"], zscore: [[z]], count: [[9]], permutations: 99 }, "cell"),
    );
  expect(await svgOfLargest(120)).toMatch(/>≥ 50<.*>≤ -50</s);
  expect(await svgOfLargest(20)).toMatch(/>20<.*>-20</s);
});

it("names sender and receiver in full, even where both names are long", async () => {
  const duct = ["Collecting duct intercalated", "Collecting duct principal"];
  const twice = <T>(value: T): T[] => [value, value];
  const svg = await svgOf(
    ligandReceptorFigure(
      {
        ...{ knownPairs: 1, testedPairs: 1, permutations: 99 },
        ...{
          ligand: twice("EPCAM"),
          receptor: twice("EPCAM"),
          sender: twice(duct[0]),
          receiver: duct,
        },
        ...{ edges: twice(30), score: twice(1), mean: twice(1), zscore: twice(3) },
        ...{ pvalue: twice(0.01), fdr: twice(0.01) },
      },
      "cell",
    ),
  );
  for (const receiver of duct) expect(svg).toContain(`${duct[0]} → ${receiver}<`);
});

it("says what the rows are, and what the p-values count", async () => {
  const [[, make]] = statisticsFigures({
    ...{ rows: "bin", scale: { spotShape: "square" }, space: null, types: [], genes: ["A"] },
    markers: [
      {
        ...{ groupBy: "cluster", testedCells: 90, testedSpots: 9, testedGenes: 1 },
        groups: [
          {
            ...{ group: "0", genes: ["A"], logFoldChanges: [1], scores: [3], pvalsAdj: [0.01] },
            cells: 9,
          },
        ],
      },
    ],
    aucs: [{ nRows: 1, nCols: 1, data: Float32Array.of(0.8) }],
  } as unknown as StatisticsContent);
  const svg = await svgOf(make());
  expect(svg).toMatch(/of 90 bins and 1 reliable gene, tested over 9 squares of 100 µm;/);
});
