import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { designNames } from "./combine-obs.ts";
import { combinedStudy, type SampleToCombine } from "./combined-study.ts";
import { combinePart } from "./combine-samples.ts";
import { writeCellFile } from "../testing/cell-file.ts";
import { writeJointCells } from "../testing/joint-cells.ts";
import { geneMap, mapGenes } from "./map-genes.ts";
import { SampleTable } from "./sample-table.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "stipple-combine-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sample = (
  name: string,
  genes: readonly string[],
  options: { organism?: string; annotated?: string } = {},
): Promise<SampleToCombine> => writeCellFile(join(folder, name), { name, genes, ...options });

it("keeps the genes that all samples have, in the first one's order, and says so", async () => {
  const [a, b] = [await sample("a", ["g1", "g2", "g3"]), await sample("b", ["g3", "g1"])];
  const study = await combinedStudy([a, b], ["condition"]);
  expect(study.genes.ids).toEqual(["g1", "g3"]);
  expect([...study.genes.totals]).toEqual([10, 10]);
  expect([...study.genes.reliableIn]).toEqual([1, 1]);
  expect(study.notes).toEqual([
    "The samples have different genes: only the 2 that all of them have are kept, of up to 3; b has 2.",
  ]);
  const options = { threads: 1, signal: new AbortController().signal };
  await combinePart(join(folder, "out"), "h5ad", study, options);
  using table = await SampleTable.open(join(folder, "out/study.h5ad"));
  expect(table.texts("obs/_index")).toEqual(["a_cell_1", "a_cell_2", "b_cell_1", "b_cell_2"]);
  expect(table.column("cell_type")).toMatchObject({ categories: ["type of a", "type of b"] });
  expect(table.column("condition")).toMatchObject({ categories: [] });
  expect([...table.numbers("layers/counts/data")]).toEqual([1, 1, 2, 2, 1, 1, 2, 2]);
  expect([...table.numbers("layers/counts/indices")]).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
});

it("has the types that people corrected, and the computed ones of other samples", async () => {
  const samples = [await sample("i", ["g1"]), await sample("j", ["g1"], { annotated: "Named" })];
  const study = await combinedStudy(samples, []);
  const options = { threads: 1, signal: new AbortController().signal };
  await combinePart(join(folder, "named"), "h5ad", study, options);
  using table = await SampleTable.open(join(folder, "named/study.h5ad"));
  const { categories } = table.column("cell_type_annotated") as { categories: string[] };
  expect(categories).toEqual(["type of i", "Named"]);
  expect(table.column("cell_type")).toMatchObject({ categories: ["type of i", "type of j"] });
  expect(table.texts("uns/cell_type_annotated_colors")).toEqual(["#000000", "#000001"]);
  expect(table.texts("uns/cell_type_colors")).toEqual(["#000000", "#000000"]);
});

it("names samples in obs as their pictures, even where a name has a slash", async () => {
  const [a, b] = [await sample("k", ["g1"]), await sample("l", ["g1"])];
  const study = await combinedStudy(
    [
      { ...a, name: "P/1" },
      { ...b, name: "P_1" },
    ],
    [],
  );
  const options = { threads: 1, signal: new AbortController().signal };
  await combinePart(join(folder, "slash"), "h5ad", study, options);
  using table = await SampleTable.open(join(folder, "slash/study.h5ad"));
  const { categories } = table.column("sample") as { categories: string[] };
  expect(categories).toEqual(["P_1", "P_1_2"]);
  expect(table.keys("uns/spatial")).toEqual(categories);
});

it("refuses what cannot be combined, with a sentence", async () => {
  const a = await sample("c", ["g1"]);
  await expect(combinedStudy([a], [])).rejects.toThrow("A study combines at least two samples");
  const mouse = await sample("d", ["g1"], { organism: "Mus musculus" });
  await expect(combinedStudy([a, mouse], [])).rejects.toThrow(
    "c is Homo sapiens and d is Mus musculus: combine samples of one species.",
  );
  const other = await sample("e", ["h1"]);
  await expect(combinedStudy([a, other], [])).rejects.toThrow(
    "The samples have no gene in common: combine samples measured with the same genes.",
  );
});

it("says which sample's cells a joint space does not hold", async () => {
  const [a, b] = [await sample("g", ["g1"]), await sample("h", ["g1"])];
  const path = join(folder, "space.parquet");
  const placed = async (cells: Record<string, number>) => {
    await writeJointCells(path, cells);
    return combinedStudy([a, b], [], { path, signal: new AbortController().signal });
  };
  const { space } = await placed({ other: 9, g: 1, h: 2 });
  expect([...space!.cluster]).toEqual([0, -1, 0, 1]);
  expect([...space!.umap.corrected]).toEqual([-0, 1, Number.NaN, Number.NaN, -0, 2, -1, 2]);
  const refusal = (name: string): string =>
    `The joint space does not hold the cells of ${name} as they are now: place the samples again`;
  await expect(placed({ g: 2 })).rejects.toThrow(refusal("h"));
  await expect(placed({ g: 3, h: 2 })).rejects.toThrow(refusal("g"));
});

it("gives samples names that files can have, each once", async () => {
  const a = await sample("f", ["g1"]);
  const names = ["A 1", "a_1", "B/2", "…"];
  const { samples } = await combinedStudy(
    names.map((name) => ({ ...a, name })),
    [],
  );
  expect(samples.map(({ key }) => key)).toEqual(["A_1", "a_1_2", "B_2", "sample"]);
  expect(samples.map(({ firstCell }) => firstCell)).toEqual([0, 2, 4, 6]);
});

it("gives each column of the design a name in obs that every program takes", () => {
  const columns = [
    ...["Time point (h)", "time.point h", "Cluster", "Sample", "dose/kg", "dose_kg"],
    ...["cell_type", "study_cell_type", "."],
  ];
  expect(designNames(columns, ["cluster", "cell_type"]).map(({ name }) => name)).toEqual([
    ...["Time_point_h_", "time_point_h", "study_Cluster", "study_Sample", "dose_kg", "dose_kg_2"],
    ...["study_cell_type", "study_cell_type_2", "_"],
  ]);
});

it("sorts and filters the entries of rows", () => {
  const map = geneMap(["x", "y", "z"], ["z", "x"]);
  const block = {
    lengths: Uint32Array.of(3, 0, 2),
    indices: Int32Array.of(0, 1, 2, 1, 2),
    values: [Float32Array.of(1, 2, 3, 4, 5), Float32Array.of(10, 20, 30, 40, 50)],
  };
  const mapped = mapGenes(block, map);
  expect([...mapped.lengths]).toEqual([2, 0, 1]);
  expect([...mapped.indices]).toEqual([0, 1, 0]);
  expect(mapped.values.map((values) => [...values])).toEqual([
    [3, 1, 5],
    [30, 10, 50],
  ]);
  expect([...mapGenes(block, null, 3).values[1]]).toEqual([30, 40, 50]);
  expect(geneMap(["x"], ["x"])).toBeNull();
});
