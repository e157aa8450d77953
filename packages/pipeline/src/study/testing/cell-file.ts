import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { writeUnsValue } from "../../exports/anndata/target.ts";
import { AnnDataFile } from "../../exports/h5ad/anndata-file.ts";
import { cellFile, type SampleToCombine } from "../combine/combined-study.ts";

/** Writes a small h5ad into a folder of exports: cell i counts i + 1 of every gene; the first gene is not reliable. */
export async function writeCellFile(
  exports: string,
  {
    name,
    genes,
    nCells = 2,
    organism = "Homo sapiens",
    annotated,
  }: {
    name: string;
    genes: readonly string[];
    nCells?: number;
    organism?: string;
    /** What people call the type of all cells. */
    annotated?: string;
  },
): Promise<SampleToCombine> {
  const sample = { name, exports, design: {} };
  const path = cellFile(sample);
  await mkdir(dirname(path), { recursive: true });
  const file = await AnnDataFile.create(path);
  const cells = Array.from({ length: nCells }, (_, cell) => `cell_${cell + 1}`);
  const more = annotated === undefined ? [] : ["cell_type_annotated"];
  file.dataframe("obs", cells, ["cell_type", "area", ...more]);
  for (const column of more) {
    file.categorical(`obs/${column}`, new Int32Array(nCells), [annotated!]);
  }
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
  for (const [at, column] of ["cell_type", ...more].entries()) {
    file.strings(`uns/${column}_colors`, [`#00000${at}`]);
  }
  writeUnsValue(file, "uns/organism", organism);
  file.group(`uns/spatial/${name}`);
  await file.finish();
  return sample;
}
