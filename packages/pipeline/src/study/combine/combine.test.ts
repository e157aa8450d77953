import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeUnsValue } from "../../exports/anndata/target.ts";
import { AnnDataFile } from "../../exports/h5ad/anndata-file.ts";
import { mkdir } from "node:fs/promises";
import { combinedStudy, type SampleToCombine } from "./combined-study.ts";
import { combinePart } from "./combine-samples.ts";
import { geneMap, mapGenes } from "./map-genes.ts";
import { SampleTable } from "./sample-table.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "stipple-combine-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A sample whose cell i counts i + 1 of every gene. */
async function sample(
  name: string,
  genes: readonly string[],
  { nCells = 2, organism = "Homo sapiens" } = {},
): Promise<SampleToCombine> {
  const exports = join(folder, name);
  const path = join(exports, "cell_expression_processed.h5ad");
  await mkdir(dirname(path), { recursive: true });
  const file = await AnnDataFile.create(path);
  const cells = Array.from({ length: nCells }, (_, cell) => `cell_${cell + 1}`);
  file.dataframe("obs", cells, ["cell_type", "area"]);
  file.categorical("obs/cell_type", new Int32Array(nCells), [`type of ${name}`]);
  file.array("obs/area", new Float32Array(nCells).fill(7));
  file.dataframe("var", genes, ["gene_ids", "symbol", "total_counts", "reliable"]);
  for (const column of ["gene_ids", "symbol"]) file.strings(`var/${column}`, genes);
  file.array(
    "var/total_counts",
    BigInt64Array.from(genes, () => 5n),
  );
  file.booleans(
    "var/reliable",
    Uint8Array.from(genes, (_, gene) => (gene === 0 ? 0 : 1)),
  );
  file.group("obsm");
  file.array("obsm/spatial", new Float64Array(2 * nCells), [nCells, 2]);
  for (const group of ["layers", "obsp", "uns", "uns/spatial"]) file.group(group);
  for (const layer of ["layers/counts", "layers/rate", "X"]) {
    const matrix = file.csr(layer, nCells, genes.length, layer === "layers/counts" ? "<i" : "<f");
    for (let cell = 0; cell < nCells; cell++) {
      const values = new Int32Array(genes.length).fill(cell + 1);
      await matrix.append([genes.length], Int32Array.from(genes.keys()), values);
    }
    await matrix.finish();
  }
  writeUnsValue(file, "uns/organism", organism);
  file.group(`uns/spatial/${name}`);
  await file.finish();
  return { name, exports, design: {} };
}

it("keeps the genes that all samples have, in the first one's order, and says so", async () => {
  const [a, b] = [await sample("a", ["g1", "g2", "g3"]), await sample("b", ["g3", "g1"])];
  const study = await combinedStudy([a, b], ["condition"]);
  expect(study.genes.ids).toEqual(["g1", "g3"]);
  expect([...study.genes.totals]).toEqual([10, 10]);
  expect([...study.genes.reliableIn]).toEqual([1, 1]);
  expect(study.notes).toEqual([
    "The samples have other genes: the 2 that all have are kept, of up to 3; b has 2.",
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
