import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stepFolder } from "@stipple/contract";
import type { Matrix, NumericArray, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { FIELDS, type Field, type FieldKey, type StoredKey } from "../fields.ts";
import type { PublishedFile } from "./manifest.ts";
import { readNpy, writeNpy, type ReadOptions } from "@stipple/formats/npy";

/** File name (without extension) of a field in its step's folder: "cells/xy" → "cells.xy". */
export function baseName(key: FieldKey): string {
  return key.replaceAll("/", ".");
}

/** Suffixes appended to the base name for each kind of field; the first one always exists. */
const ENDINGS = {
  text: [".txt"],
  json: [".json"],
  column: [".npy"],
  matrix: [".npy"],
  sparse: [".shape.json", ".indptr.npy", ".indices.npy", ".data.npy"],
  polygons: [".xy.npy", ".offsets.npy"],
} as const;

/** Path of a text or facts field in the results folder. */
export function fieldPath(key: StoredKey): string {
  const { kind, step } = FIELDS[key];
  return `${stepFolder(step)}/${baseName(key)}${ENDINGS[kind][0]}`;
}

/** The published files of a step that belong to a field: none if it was not written. */
export function fieldFiles<T extends Pick<PublishedFile, "path">>(
  key: FieldKey,
  files: readonly T[],
): T[] {
  const field = FIELDS[key];
  if (field.kind === "files") return files.filter(({ path }) => field.pattern.test(path));
  const base = `${stepFolder(field.step)}/${baseName(key)}`;
  const paths = new Set<string>(ENDINGS[field.kind].map((ending) => base + ending));
  return files.filter(({ path }) => paths.has(path));
}

/** Stores a field in `folder`, as .npy, .txt, or .json files that NumPy and any editor can open. */
export async function writeField<K extends StoredKey>(
  folder: string,
  key: K,
  value: Field<K>,
): Promise<void> {
  const base = join(folder, baseName(key));
  switch (FIELDS[key].kind) {
    case "text":
      return writeFile(`${base}.txt`, (value as string[]).map((line) => `${line}\n`).join(""));
    case "json":
      return writeFile(`${base}.json`, `${JSON.stringify(value, null, 2)}\n`);
    case "column": {
      const data = value as NumericArray;
      return writeNpy(`${base}.npy`, data, [data.length]);
    }
    case "matrix": {
      const { data, nRows, nCols } = value as Matrix;
      return writeNpy(`${base}.npy`, data, [nRows, nCols]);
    }
    case "sparse": {
      const { nRows, nCols, indptr, indices, data } = value as SparseMatrix;
      // In parallel: these are gigabytes for a whole slide, and one thread is limited by its core.
      await together([
        writeNpy(`${base}.indptr.npy`, indptr, [nRows + 1]),
        writeNpy(`${base}.indices.npy`, indices, [indices.length]),
        writeNpy(`${base}.data.npy`, data, [data.length]),
      ]);
      return writeFile(`${base}.shape.json`, JSON.stringify([nRows, nCols]));
    }
    case "polygons": {
      const { offsets, xy } = value as Polygons;
      await writeNpy(`${base}.offsets.npy`, offsets, [offsets.length]);
      return writeNpy(`${base}.xy.npy`, xy, [xy.length / 2, 2]);
    }
  }
}

/** Whether the folder contains the field; some are written only for certain settings. */
export function hasField(folder: string, key: StoredKey): boolean {
  return existsSync(join(folder, baseName(key)) + ENDINGS[FIELDS[key].kind][0]);
}

/** Loads a field from the folder of the step that wrote it. */
export async function readField<K extends StoredKey>(
  folder: string,
  key: K,
  options: ReadOptions = {},
): Promise<Field<K>> {
  const base = join(folder, baseName(key));
  const load = async (): Promise<unknown> => {
    switch (FIELDS[key].kind) {
      case "text": {
        const lines = (await readFile(`${base}.txt`, "utf8")).split("\n");
        lines.pop();
        return lines;
      }
      case "json":
        return JSON.parse(await readFile(`${base}.json`, "utf8"));
      case "column":
        return (await readNpy(`${base}.npy`, options)).data;
      case "matrix": {
        const { data, shape } = await readNpy(`${base}.npy`, options);
        return { data, nRows: shape[0], nCols: shape[1] };
      }
      case "sparse": {
        const [nRows, nCols] = JSON.parse(await readFile(`${base}.shape.json`, "utf8"));
        const [indptr, indices, data] = await together(
          ["indptr", "indices", "data"].map(async (part) => {
            const { data } = await readNpy(`${base}.${part}.npy`, options);
            return data;
          }),
        );
        return { nRows, nCols, indptr, indices, data };
      }
      case "polygons": {
        const offsets = (await readNpy(`${base}.offsets.npy`, options)).data;
        const xy = (await readNpy(`${base}.xy.npy`, options)).data;
        return { offsets, xy };
      }
    }
  };
  return (await load()) as Field<K>;
}

/**
 * Results of all promises. If any failed, throws the first error, but only after all have finished reading or
 * writing.
 */
async function together<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
