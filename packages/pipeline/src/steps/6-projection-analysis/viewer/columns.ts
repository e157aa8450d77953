import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerManifest } from "@stipple/contract";
import type { Matrix, Polygons } from "../../../fields.ts";

export interface ViewerCells {
  xy: Matrix;
  typeOf: Int32Array;
  clusterOf: Int32Array;
  observed: Uint8Array;
  umap: Matrix;
  polygons: Polygons;
}

/** Number that stands for "no group" in the type and cluster columns. */
const NO_GROUP = 0xffff;

type Column = keyof ViewerManifest["columns"];
const ENDINGS = {
  Float32Array: ["float32", "f32"],
  Uint32Array: ["uint32", "u32"],
  Uint16Array: ["uint16", "u16"],
  Uint8Array: ["uint8", "u8"],
} as const;

/** Writes the columns a viewer draws from, little-endian, and says what they are. */
export async function writeColumns(
  folder: string,
  cells: ViewerCells,
  spots: Matrix,
): Promise<ViewerManifest["columns"]> {
  const columns: Record<Column, Float32Array | Uint32Array | Uint16Array | Uint8Array> = {
    "cells.xy": Float32Array.from(cells.xy.data),
    "cells.type": groupColumn(cells.typeOf),
    "cells.cluster": groupColumn(cells.clusterOf),
    "cells.observed": cells.observed,
    "cells.umap": Float32Array.from(cells.umap.data),
    "cells.polygon.offsets": cells.polygons.offsets,
    "cells.polygon.xy": cells.polygons.xy,
    "spots.xy": Float32Array.from(spots.data),
  };
  const described = {} as ViewerManifest["columns"];
  for (const [name, data] of Object.entries(columns) as [Column, (typeof columns)[Column]][]) {
    const [dtype, ending] = ENDINGS[data.constructor.name as keyof typeof ENDINGS];
    const file = `${name}.${ending}`;
    await writeFile(
      join(folder, file),
      new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    );
    described[name] = { file, dtype, length: data.length };
  }
  return described;
}

function groupColumn(groupOf: Int32Array): Uint16Array {
  return Uint16Array.from(groupOf, (group) => (group < 0 ? NO_GROUP : group));
}
