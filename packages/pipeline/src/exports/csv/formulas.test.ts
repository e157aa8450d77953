import { csvText } from "@stipple/contract/csv";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeLoupeCategories } from "../loupe/categories.ts";
import { seuratNames } from "../seurat/seurat-folder.ts";
import { writeCellMetadata } from "./cell-metadata.ts";
import { writeGeneReliability } from "./gene-reliability.ts";

const FORMULA = "=cmd|' /C calc'!A0";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "csv-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function linesOf(name: string): Promise<string[]> {
  return (await readFile(join(folder, name), "utf8")).trimEnd().split("\n");
}

it("escapes formulas in names from uploaded files in every table, and keeps numbers as numbers", async () => {
  const one = Float32Array.of(-1.5);
  const count = Float64Array.of(3);
  const cells = {
    xy: { nRows: 1, nCols: 2, data: Float32Array.of(-2, 4) },
    typeOf: Int32Array.of(0),
    typeNames: [FORMULA],
    clusterOf: Int32Array.of(0),
    confidence: one,
    typeMargin: one,
    observed: Uint8Array.of(1),
    evidence: Uint8Array.of(0),
    imageQuality: Uint8Array.of(1),
    totalCounts: count,
    rateCv: one,
    areaUm2: one,
    spotOf: Int32Array.of(0),
    barcodes: ["@SUM(A1)"],
    regions: {
      regionOf: Int32Array.of(0),
      names: [FORMULA],
      colors: ["#000000"],
      distances: [{ column: "distance_to_x_um", um: one }],
    },
    annotations: {
      categories: [
        {
          column: "cell_type_annotated",
          codes: Int32Array.of(0),
          names: [FORMULA],
          colors: ["#000000"],
        },
      ],
      groups: [{ column: "group_x", cells: Uint8Array.of(1), color: "#000000" }],
    },
  };
  await writeCellMetadata(join(folder, "cells.csv"), cells, new AbortController().signal);
  expect((await linesOf("cells.csv"))[1]).toBe(
    `cell_1,-2,4,'${FORMULA},'@SUM(A1),0,-1.5,-1.5,True,3,-1.5,-1.5,measured,blurred,'${FORMULA},-1.5,'${FORMULA},True`,
  );

  await writeGeneReliability(join(folder, "genes.csv"), {
    ids: ["+1"],
    symbols: ["-A"],
    names: ["\tB"],
    heldoutPcc: one,
    reliable: Uint8Array.of(0),
    rateSource: Uint8Array.of(1),
    rateCv: one,
    cellPcc: { nRows: 1, nCols: 3, data: Float32Array.of(-1.5, -1.5, -1.5) },
    observed: count,
    assigned: count,
    unassigned: count,
  });
  expect((await linesOf("genes.csv"))[1]).toBe(
    "'+1,'-A,'\tB,-1.5,False,3,-1.5,3,3,interpolation,-1.5,-1.5,-1.5",
  );

  await writeLoupeCategories(join(folder, "loupe.csv"), FORMULA, [["=1", "=2"]]);
  expect(await linesOf("loupe.csv")).toEqual([`Barcode,'${FORMULA}`, "'=1,'=2"]);
});

it("names cells for Seurat alike in tables and in lists, which are not escaped", () => {
  const names = ["-80 liver", "--", "=1"].map((sample) => seuratNames(sample)(0));
  expect(names).toEqual(["_80_liver_cell_1", "__cell_1", "_1_cell_1"]);
  expect(names.map(csvText)).toEqual(names);
});
