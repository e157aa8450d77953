import type {
  CoOccurrence,
  LigandReceptorTable,
  MarkerTable,
  NeighborhoodEnrichment,
} from "@stipple/contract/statistical-facts";
import { describe, expect, it } from "vitest";
import { divergingColors, inkOn, sequentialColors } from "../figure/scales.ts";
import { geneMeans } from "../numbers/gene-means.ts";
import { groupsByIndex } from "../numbers/cell-groups.ts";
import { summarize } from "../numbers/group-summary.ts";
import { uniqueNames } from "../use-plot-groups.ts";
import { topMarkers } from "../use-plotted-genes.ts";
import { coOccurrenceFigure } from "./co-occurrence-figure.ts";
import { enrichmentFigure } from "./enrichment-figure.ts";
import { geneMatrixFigure } from "./gene-matrix-figure.ts";
import { chosenPairs, ligandsFigure } from "./ligands-figure.ts";
import { violinFigure } from "./violin-figure.ts";

const lookOf = (name: string) => ({ name: name.toUpperCase(), color: "#123456" });

describe("color scales", () => {
  it("run from end to end, with white in the middle of diverging ones", () => {
    const one = sequentialColors(4);
    expect([0, 4, 9, Number.NaN].map((value) => one.of(value, "light"))).toEqual([
      "rgb(68, 1, 84)",
      "rgb(253, 231, 37)",
      "rgb(253, 231, 37)",
      "none",
    ]);
    const two = divergingColors(3);
    expect([-3, 0, 3].map((value) => two.of(value, "light"))).toEqual([
      "rgb(45, 0, 75)",
      "rgb(247, 247, 247)",
      "rgb(127, 59, 8)",
    ]);
    expect([-3, 0].map((value) => inkOn(two.of(value, "light")))).toEqual(["#ffffff", "#0f1b2a"]);
    const dark = [-3, 0, 3].map((value) => inkOn(two.of(value, "dark")));
    expect(dark).toEqual(["#0f1b2a", "#ffffff", "#0f1b2a"]);
  });
});

describe("groups and genes of a plot", () => {
  it("have unique names", () => {
    expect(uniqueNames(["T", "B", "T", "T"])).toEqual(["T", "B", "T (2)", "T (3)"]);
  });

  it("include each group's upregulated markers once, in group order", () => {
    const group = (name: string, genes: string[], logFoldChanges: number[]) => ({
      group: name,
      genes,
      logFoldChanges,
    });
    const table = {
      groups: [group("a", ["X", "Y", "Z"], [2, -1, 1]), group("b", ["X", "W", "V"], [3, 2, 1])],
    } as unknown as MarkerTable;
    expect(topMarkers(table, ["b", "gone", "a"], 2)).toEqual(["X", "W", "Z"]);
  });
});

describe("figures of cells", () => {
  const groups = groupsByIndex(Uint16Array.of(0, 0, 1, 1), 2);
  const looks = [
    { name: "one", color: "#ff0000", cells: 2 },
    { name: "two", color: "#00ff00", cells: 2 },
  ];

  it("describe violins in words", () => {
    const values = Float32Array.of(0, 2, 4, Number.NaN);
    const summary = summarize(values, groups, { log: false, bins: 4, points: 9 });
    const figure = violinFigure({
      name: "CD3E",
      by: "by cell type",
      subtitle: "",
      summary,
      groups: looks,
      log: false,
    });
    expect(figure.title).toBe("CD3E by cell type");
    expect(figure.summary).toBe(
      "The median of CD3E is highest in two (4) and lowest in one (1). 1 cell has no value and is left out.",
    );
    expect(figure.table.rows).toEqual([
      ["one", 2, 0.5, 1, 0, 0.5, 1, 1.5, 2, 0],
      ["two", 1, 0, 4, 4, 4, 4, 4, 4, 1],
    ]);
  });

  it("give each gene's mean, standardized mean, and share, and mark unreliable genes", () => {
    const means = [
      geneMeans(Float32Array.of(0, 2, 3, 3), groups, "zero"),
      geneMeans(Float32Array.of(1, 1, 0, 0), groups, "zero"),
    ];
    const figure = geneMatrixFigure({
      as: "dots",
      by: "by cluster",
      subtitle: "",
      layer: "counts",
      genes: ["A", "B"],
      reliable: [true, false],
      means,
      groups: looks,
      standardize: true,
    });
    expect(figure.title).toBe("2 genes by cluster");
    expect(figure.summary).toBe("Each group's highest gene: one B; two A.");
    expect(figure.table.rows).toEqual([
      ["A", "one", 2, 1, -1, 0.5, "yes"],
      ["A", "two", 2, 3, 1, 1, "yes"],
      ["B", "one", 2, 1, 1, 1, "no"],
      ["B", "two", 2, 0, -1, 0, "no"],
    ]);
    expect(figure.legend.map(({ kind }) => kind)).toEqual(["colors", "sizes", "sign"]);
  });
});

describe("figures of the tissue", () => {
  it("name the pairs of types that are neighbors most and least often", () => {
    const enrichment: NeighborhoodEnrichment = {
      types: ["a", "b", "c"],
      permutations: 99,
      zscore: [
        [9, 2.5, -4],
        [2.5, 1, null],
        [-4, null, 0],
      ],
      count: [
        [8, 3, 1],
        [3, 4, 0],
        [1, 0, 0],
      ],
    };
    const { summary, table } = enrichmentFigure(enrichment, 20, lookOf);
    expect(summary).toBe(
      "Neighbors more often than chance predicts: A and B (2.5). Less often: A and C (−4).",
    );
    expect(table.rows[5]).toEqual(["B", "C", null, 0]);
  });

  it("show the curves around the chosen type, not its own curves around others", () => {
    const data: CoOccurrence = {
      types: ["a", "b"],
      intervalUm: [0, 20, 40],
      // occ[i][j]: type i around cells of type j.
      occ: [
        [
          [2, 1.5],
          [0.5, 0.7],
        ],
        [
          [0.4, 0.6],
          [null, 3],
        ],
      ],
      centers: 10,
      pairs: 30,
    };
    const figure = coOccurrenceFigure(data, "b", 10, lookOf)!;
    expect(figure.table.rows).toEqual([
      ["B", "A", 20, 0.5],
      ["B", "A", 40, 0.7],
      ["B", "B", 40, 3],
    ]);
    expect(figure.summary).toContain("Less often: A (0.5 ×)");
    expect(coOccurrenceFigure(data, "c", 10, lookOf)).toBeNull();
  });

  const signals: LigandReceptorTable = {
    knownPairs: 378,
    testedPairs: 2,
    permutations: 999,
    ligand: ["L1", "L1", "L2", "L2"],
    receptor: ["R1", "R1", "R2", "R2"],
    sender: ["a", "b", "a", "b"],
    receiver: ["b", "b", "b", "a"],
    edges: [30, 40, 50, 60],
    score: [1, 2, 3, 4],
    mean: [1, 1, 1, 1],
    zscore: [3, 5, null, 1],
    pvalue: [0.001, 0.001, 0.5, 0.02],
    fdr: [0.002, 0.002, 0.5, 0.027],
  };

  it("order signals by FDR, then z, and drop those that do not match the choices", () => {
    const all = { sender: null, receiver: null, significantOnly: false };
    expect(chosenPairs(signals, all)).toEqual([1, 0, 3, 2]);
    expect(chosenPairs(signals, { ...all, significantOnly: true })).toEqual([1, 0, 3]);
    expect(chosenPairs(signals, { ...all, sender: "a", receiver: "b" })).toEqual([0, 2]);
    const figure = ligandsFigure(signals, { ...all, mostPairs: 1 }, lookOf)!;
    expect(figure.summary).toBe(
      "4 of 4 combinations match. The strongest: L1 → R1, B → B (FDR 0.002).",
    );
    expect(ligandsFigure(signals, { ...all, sender: "c", mostPairs: 1 }, lookOf)).toBeNull();
  });
});
