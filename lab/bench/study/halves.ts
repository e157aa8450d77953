import { createReadStream, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { stepFolder } from "@stipple/contract";
import { Random } from "@stipple/numerics/random";
import { FIELDS, type Field, type StoredKey } from "@stipple/pipeline/internal/fields";
import { writeField } from "@stipple/pipeline/internal/store/field-store";
import Flatbush from "flatbush";

/** Share of the right half's counts that are kept, and of these, that a cell within reach gets instead. */
const [KEPT, BLED, REACH_UM] = [0.6, 0.25, 20];

/** Writes the left half of a measured section as sample A, and the right half with fewer counts and bleed as sample B. */
export async function writeHalves(section: string, folder: string): Promise<void> {
  const [head, ...lines] = readFileSync(join(section, "cells.csv"), "utf8").trim().split("\n");
  const columns = head.split(",");
  const cells = lines.map((line) => {
    const cell = line.split(",");
    const of = (name: string): string => cell[columns.indexOf(name)];
    return { x: Number(of("x_um")), y: Number(of("y_um")), type: of("type") };
  });
  const genes = readFileSync(join(section, "genes.txt"), "utf8").trim().split("\n");
  const counts = await readCounts(join(section, "counts_cells_x_genes.mtx.gz"), cells.length);
  const middle = cells.map(({ x }) => x).sort((a, b) => a - b)[cells.length >> 1];
  const types = [...new Set(cells.map(({ type }) => type))].sort();
  const random = new Random(1);
  for (const [name, isRight] of [
    ["A", false],
    ["B", true],
  ] as const) {
    const own = Array.from(cells.keys()).filter(
      (i) => cells[i].x >= middle === isRight && cells[i].type !== "Ambiguous",
    );
    const index = new Flatbush(own.length);
    for (const i of own) index.add(cells[i].x, cells[i].y);
    index.finish();
    const rows = own.map(() => new Map<number, number>());
    own.forEach((i, at) => {
      const near = isRight ? index.neighbors(cells[i].x, cells[i].y, 6, REACH_UM) : [at];
      for (const [gene, count] of counts[i]) {
        for (let n = 0; n < count; n++) {
          if (isRight && random.uniform() >= KEPT) continue;
          const to = isRight && random.uniform() < BLED ? near[random.below(near.length)] : at;
          rows[to].set(gene, (rows[to].get(gene) ?? 0) + 1);
        }
      }
    });
    await writeSample(join(folder, name), genes, types, {
      rows,
      typeOf: own.map((i) => types.indexOf(cells[i].type)),
    });
  }
}

async function writeSample(
  folder: string,
  genes: string[],
  types: string[],
  { rows, typeOf }: { rows: Map<number, number>[]; typeOf: number[] },
): Promise<void> {
  const put = async <K extends StoredKey>(key: K, value: Field<K>): Promise<void> => {
    const target = join(folder, stepFolder(FIELDS[key].step));
    await mkdir(target, { recursive: true });
    await writeField(target, key, value);
  };
  const sorted = rows.map((row) => [...row].sort((a, b) => a[0] - b[0]));
  const indptr = new Uint32Array(rows.length + 1);
  sorted.forEach((row, i) => (indptr[i + 1] = indptr[i] + row.length));
  await put("genes/id", genes);
  await put("genes/name", genes);
  await put("types/name", types);
  await put("cells/cell_type", Int32Array.from(typeOf));
  await put("cells/counts", {
    ...{ nRows: rows.length, nCols: genes.length, indptr },
    indices: Uint32Array.from(sorted.flatMap((row) => row.map(([gene]) => gene))),
    data: Float32Array.from(sorted.flatMap((row) => row.map(([, count]) => count))),
  });
}

/** Counts of each cell: gene, count. */
async function readCounts(path: string, nCells: number): Promise<[number, number][][]> {
  const counts = Array.from({ length: nCells }, (): [number, number][] => []);
  let isHead = true;
  for await (const line of createInterface(createReadStream(path).pipe(createGunzip()))) {
    if (line.startsWith("%")) continue;
    const [cell, gene, count] = line.split(" ").map(Number);
    if (!isHead) counts[cell - 1].push([gene - 1, count]);
    isHead = false;
  }
  return counts;
}
