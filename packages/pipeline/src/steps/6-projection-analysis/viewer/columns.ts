import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerColumn, ViewerManifest } from "@stipple/contract";
import type { CellProteins } from "../../../model/cell-proteins.ts";

/** Array types in which a column may be stored. */
export type ColumnArray = Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** Marks "no group" in group columns. */
const NO_GROUP = 0xffff;

const ENDINGS = {
  Float32Array: ["float32", "f32"],
  Uint32Array: ["uint32", "u32"],
  Uint16Array: ["uint16", "u16"],
  Uint8Array: ["uint8", "u8"],
} as const;

/** Writes columns as little-endian files `<name>.<ending>` and returns their descriptions. */
export async function writeColumns(
  folder: string,
  columns: Partial<Record<ViewerColumn, ColumnArray>>,
): Promise<ViewerManifest["columns"]> {
  const described: ViewerManifest["columns"] = {};
  for (const [name, data] of Object.entries(columns) as [ViewerColumn, ColumnArray][]) {
    described[name] = await writeColumn(folder, name, data);
  }
  return described;
}

/** Writes one protein after another: a column per protein, which needs the memory of one. */
export async function writeProteins(
  folder: string,
  proteins: CellProteins,
): Promise<NonNullable<ViewerManifest["proteins"]>> {
  const described: NonNullable<ViewerManifest["proteins"]> = [];
  for (const [at, name] of proteins.names.entries()) {
    const column = await writeColumn(folder, `proteins.${at}`, proteins.column(at));
    described.push({ name, column });
  }
  return described;
}

async function writeColumn(
  folder: string,
  name: string,
  data: ColumnArray,
): Promise<NonNullable<ViewerManifest["columns"][ViewerColumn]>> {
  const [dtype, ending] = ENDINGS[data.constructor.name as keyof typeof ENDINGS];
  const file = `${name}.${ending}`;
  await writeFile(
    join(folder, file),
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  );
  return { file, dtype, length: data.length };
}

/** A group column; negative = none. */
export function groupColumn(groupOf: Int32Array): Uint16Array {
  return Uint16Array.from(groupOf, (group) => (group < 0 ? NO_GROUP : group));
}
