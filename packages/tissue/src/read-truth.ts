import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import type { Matrix, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { readNpy } from "@stipple/formats/npy";
import type { GeneRole } from "./expression/genes.ts";
import type { TissueOptions } from "./options.ts";

/**
 * The known truth of a simulated tissue, as read from its truth/ folder. Positions in full-resolution pixels.
 */
export interface KnownTissue {
  parameters: TissueOptions & { tissue: string; nCells: number };
  nCells: number;
  /** nCells × 2: x, y. */
  xy: Float64Array;
  type: string[];
  domain: string[];
  genes: { id: string; symbol: string; role: GeneRole; markerOf: string[] }[];
  /** Integer counts, cells × genes. */
  counts: SparseMatrix;
  /** Noise-free rates, cells × genes. */
  rates: Matrix<Float32Array>;
  /** How much of each cell each spot captures (spots × cells), for each array of spots or bin size. */
  arrays: { barcode: string[]; capture: SparseMatrix }[];
  nuclei: Polygons;
  /** Number of counts under tissue from each cell, cells × genes, if the finest bins were simulated. */
  captured: SparseMatrix | null;
}

/** Reads truth/ of a simulated tissue; `folder` may also be its parent folder. Throws {@link InputError}. */
export async function readTruth(folder: string): Promise<KnownTissue> {
  const truth = existsSync(join(folder, "cells.csv")) ? folder : join(folder, "truth");
  if (!existsSync(join(truth, "cells.csv"))) {
    throw new InputError(
      `${folder} contains no ground truth (no cells.csv): use the folder that stipple simulate wrote.`,
    );
  }
  const json = async <T>(name: string): Promise<T> =>
    JSON.parse(await readFile(join(truth, name), "utf8")) as T;
  const array = async <T>(name: string): Promise<T> => (await readNpy(join(truth, name))).data as T;
  const sparse = async (name: string): Promise<SparseMatrix> => {
    const [nRows, nCols] = await json<[number, number]>(`${name}.shape.json`);
    return {
      nRows,
      nCols,
      indptr: await array(`${name}.indptr.npy`),
      indices: await array(`${name}.indices.npy`),
      data: await array(`${name}.data.npy`),
    };
  };
  const cells = await table(join(truth, "cells.csv"));
  const genes = await table(join(truth, "genes.csv"));
  const arrays: KnownTissue["arrays"] = [];
  for (const name of await readdir(truth)) {
    const array = /^(capture_.*)\.barcodes\.txt$/.exec(name)?.[1];
    if (array === undefined) continue;
    const barcode = (await readFile(join(truth, name), "utf8")).trimEnd().split("\n");
    arrays.push({ barcode, capture: await sparse(array) });
  }
  const rates = await readNpy(join(truth, "rates.npy"));
  return {
    parameters: await json("parameters.json"),
    nCells: cells.length,
    xy: Float64Array.from(cells.flatMap((cell) => [Number(cell["x"]), Number(cell["y"])])),
    type: cells.map((cell) => cell["type"]),
    domain: cells.map((cell) => cell["domain"]),
    genes: genes.map((gene) => ({
      id: gene["id"],
      symbol: gene["symbol"],
      role: gene["role"] as GeneRole,
      markerOf: gene["marker_of"] ? gene["marker_of"].split(";") : [],
    })),
    counts: await sparse("counts"),
    rates: { nRows: rates.shape[0], nCols: rates.shape[1], data: rates.data as Float32Array },
    arrays,
    captured: existsSync(join(truth, "captured.shape.json")) ? await sparse("captured") : null,
    nuclei: { offsets: await array("nuclei.offsets.npy"), xy: await array("nuclei.xy.npy") },
  };
}

/** Reads an unquoted CSV file as records. */
async function table(path: string): Promise<Record<string, string>[]> {
  const [header, ...lines] = (await readFile(path, "utf8")).trimEnd().split("\n");
  const names = header.split(",");
  return lines.map((line) => {
    const values = line.split(",");
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""]));
  });
}
