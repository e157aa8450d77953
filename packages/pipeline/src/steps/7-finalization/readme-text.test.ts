import { expect, it } from "vitest";
import { readmeText } from "./readme-text.ts";

const all = { entries: 0, droppedBelow: 0, droppedFraction: 0 };
const facts: Parameters<typeof readmeText>[0] = {
  version: "1.0.0",
  sample: "sample",
  spotLevel: false,
  spotNoun: "spot",
  looksHelp: true,
  imagePixel: 1,
  spaceRanger: false,
  nCells: 2,
  nGenes: 3,
  nReliable: 0,
  countsFrom: "spots",
  written: {
    h5ad: all,
    spatialData: all,
    seurat: all,
    allocatedLeast: 0,
    image: null,
    picture: false,
  },
  proportions: false,
  regions: false,
  annotatedFigures: false,
  annotations: false,
  proteins: false,
  tables: [],
};

it("recommends the expected allocation for single cells only where looks do not tell a spot's cells apart", () => {
  const recommendation = 'use layers["allocated"] for single cells as well';
  expect(readmeText({ ...facts, looksHelp: false })).toContain(recommendation);
  for (const other of [{}, { looksHelp: null }, { looksHelp: false, spotNoun: "bin" } as const]) {
    expect(readmeText({ ...facts, ...other })).not.toContain(recommendation);
  }
});

it("speaks of bins, not of spots, where a sample has bins", () => {
  const proteins = {
    proteins: true,
    proportions: true,
    tables: ["statistics/cluster_markers.csv"],
  };
  for (const spotLevel of [false, true]) {
    const text = readmeText({
      ...facts,
      ...proteins,
      spotLevel,
      spotNoun: "bin",
      countsFrom: "8 µm bins",
    });
    // The name of an element of spatialdata.zarr.
    expect(text.replace(/shapes: .*/, "")).not.toMatch(/\bspots?\b/i);
  }
});

it("says what makes a gene of the tables a marker, and that cluster_markers.csv tests nothing, where there are tables", () => {
  const tables = ["statistics/cluster_markers.csv"];
  const text = readmeText({ ...facts, tables }).replace(/\s+/g, " ");
  const sentences = [
    "above 0 and pvalue_over_spots_adj below 0.05",
    "by log2_fold_change = log2((mean_rate + 0.02) / (mean_rate_others + 0.02)). It has no p-values",
    "mean_rate is the mean of the model's rates, before",
  ];
  for (const sentence of sentences) {
    expect(text).toContain(sentence);
    expect(readmeText(facts)).not.toContain(sentence);
  }
});

it("shares no counts and infers nothing between spots where these stand in for cells", () => {
  const inferred = ["nearest whole numbers", "including cells outside", "most cells empty"];
  for (const words of inferred) {
    expect(readmeText(facts).replace(/\s+/g, " ")).toContain(words);
    expect(readmeText({ ...facts, spotLevel: true }).replace(/\s+/g, " ")).not.toContain(words);
  }
});

it("says that outlines for QuPath are in full-resolution pixels where the image is not", () => {
  expect(readmeText({ ...facts, imagePixel: 2 })).toContain(
    "A pixel of your image spans 2.000 of them",
  );
  expect(readmeText(facts)).not.toContain("A pixel of your image");
});

it("says how squidpy draws ligands and receptors, where there are any", () => {
  const tables = ["statistics/ligand_receptor.csv"];
  expect(readmeText({ ...facts, tables })).toContain("squidpy.pl.ligrec(tables)");
  expect(readmeText(facts)).not.toContain("ligrec");
});

it("says that a barcode also captures RNA of cells that do not lie under it", () => {
  expect(readmeText(facts)).toContain("cell whose RNA it captures, from under it or diffused");
});

it("says that confidence and margin are of the computed type, also beside annotated ones", () => {
  expect(readmeText(facts).replace(/\s+/g, " ")).toContain("Both are of the computed type");
});

it("tells how far spot_id reaches from how far evidence does: a cell beyond reach has counts", () => {
  const text = readmeText(facts).replace(/\s+/g, " ");
  expect(text).toContain("the nearest one within 100 µm or twice the distance between spots");
  expect(text).toContain("no spot is; the cell can still have a spot_id, and counts");
});
