import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Matrix, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { writeNpy } from "@stipple/formats/npy";
import { outlineRadius, type Cells } from "../anatomy/place-cells.ts";
import type { CaptureArray } from "../capture/capture-array.ts";
import type { CellKind, TissuePlan } from "../catalog/tissue-plan.ts";
import type { Gene } from "../expression/genes.ts";
import type { TissueOptions } from "../options.ts";

const OUTLINE_POINTS = 32;

/** Everything known about a simulated tissue. */
export interface Truth {
  options: TissueOptions;
  plan: TissuePlan;
  looks: readonly CellKind[];
  cells: Cells;
  genes: readonly Gene[];
  /** Integer counts of every cell, cells × genes. */
  counts: SparseMatrix;
  /** Noise-free rates, cells × genes. */
  rates: Matrix<Float32Array>;
  arrays: readonly CaptureArray[];
  /** Number of counts under tissue from each cell, cells × genes, if known. */
  captured: SparseMatrix | null;
}

/** Writes truth/: tables as CSV, arrays as .npy (see read-truth.ts for the shapes). */
export async function writeTruth(outs: string, truth: Truth): Promise<void> {
  const folder = join(outs, "truth");
  await mkdir(folder, { recursive: true });
  const { options, plan, genes, rates } = truth;
  const text = (name: string, lines: readonly string[]): Promise<void> =>
    writeFile(join(folder, name), `${lines.join("\n")}\n`);
  await text("cells.csv", cellTable(truth));
  await text("genes.csv", [
    "id,symbol,role,marker_of",
    ...genes.map(
      (gene) =>
        `${gene.id},${gene.symbol},${gene.role},${gene.markerOf.map((kind) => plan.kinds[kind].name).join(";")}`,
    ),
  ]);
  await writeSparse(folder, "counts", truth.counts);
  if (truth.captured) await writeSparse(folder, "captured", truth.captured);
  for (const array of truth.arrays) {
    await text(`capture_${array.name}.barcodes.txt`, array.barcode);
    await writeSparse(folder, `capture_${array.name}`, array.capture);
  }
  await writeNpy(join(folder, "rates.npy"), rates.data, [rates.nRows, rates.nCols]);
  const { offsets, xy } = nucleusOutlines(truth.cells, options.umPerPx);
  await writeNpy(join(folder, "nuclei.offsets.npy"), offsets, [offsets.length]);
  await writeNpy(join(folder, "nuclei.xy.npy"), xy, [xy.length / 2, 2]);
  await writeFile(
    join(folder, "parameters.json"),
    `${JSON.stringify({ ...options, tissue: plan.tissue, nCells: truth.cells.count }, null, 2)}\n`,
  );
}

function cellTable({ cells, plan, looks, options }: Truth): string[] {
  const lines = [
    "id,x,y,type,domain,nucleus_major_um,nucleus_minor_um,nucleus_angle,nucleus_area_um2,cell_area_um2",
  ];
  for (let cell = 0; cell < cells.count; cell++) {
    const a = cells.major[cell];
    const b = cells.minor[cell];
    const around = looks[cells.kind[cell]].cytoplasmUm;
    lines.push(
      [
        cell,
        (cells.x[cell] / options.umPerPx).toFixed(2),
        (cells.y[cell] / options.umPerPx).toFixed(2),
        plan.kinds[cells.kind[cell]].name,
        plan.domains[cells.domain[cell]].name,
        a.toFixed(3),
        b.toFixed(3),
        cells.angle[cell].toFixed(4),
        (Math.PI * a * b).toFixed(2),
        (Math.PI * (a + around) * (b + around)).toFixed(2),
      ].join(","),
    );
  }
  return lines;
}

/** Outlines of the nuclei in full-resolution pixels. */
export function nucleusOutlines(cells: Cells, umPerPx: number): Polygons {
  const offsets = new Uint32Array(cells.count + 1);
  const xy = new Float32Array(cells.count * OUTLINE_POINTS * 2);
  for (let cell = 0; cell < cells.count; cell++) {
    offsets[cell + 1] = (cell + 1) * OUTLINE_POINTS;
    const cos = Math.cos(cells.angle[cell]);
    const sin = Math.sin(cells.angle[cell]);
    for (let i = 0; i < OUTLINE_POINTS; i++) {
      const turn = (2 * Math.PI * i) / OUTLINE_POINTS;
      const r = outlineRadius(cells.outline, cell, turn > Math.PI ? turn - 2 * Math.PI : turn);
      const u = cells.major[cell] * r * Math.cos(turn);
      const v = cells.minor[cell] * r * Math.sin(turn);
      const at = (cell * OUTLINE_POINTS + i) * 2;
      xy[at] = (cells.x[cell] + u * cos - v * sin) / umPerPx;
      xy[at + 1] = (cells.y[cell] + u * sin + v * cos) / umPerPx;
    }
  }
  return { offsets, xy };
}

async function writeSparse(folder: string, name: string, matrix: SparseMatrix): Promise<void> {
  const { nRows, nCols, indptr, indices, data } = matrix;
  await writeNpy(join(folder, `${name}.indptr.npy`), indptr, [nRows + 1]);
  await writeNpy(join(folder, `${name}.indices.npy`), indices, [indices.length]);
  await writeNpy(join(folder, `${name}.data.npy`), data, [data.length]);
  await writeFile(join(folder, `${name}.shape.json`), JSON.stringify([nRows, nCols]));
}
