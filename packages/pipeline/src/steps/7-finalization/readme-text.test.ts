import { expect, it } from "vitest";
import { readmeText } from "./readme-text.ts";

const all = { entries: 0, droppedBelow: 0, droppedFraction: 0 };
const facts: Parameters<typeof readmeText>[0] = {
  version: "1.0.0",
  sample: "sample",
  spotLevel: false,
  spotNoun: "spot",
  looksHelp: true,
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

it("says which rates the means of cluster_markers.csv are of, where there is such a table", () => {
  const sentence = "mean_rate in cluster_markers.csv is the mean of the model's rates, before";
  const tables = ["statistics/cluster_markers.csv"];
  expect(readmeText({ ...facts, tables })).toContain(sentence);
  expect(readmeText(facts)).not.toContain(sentence);
});
