import { keyOf } from "../anndata/target.ts";
import type { AnnDataFile } from "./anndata-file.ts";

/** Contents of uns["spatial"][libraryId], as scanpy and squidpy read it. */
export interface SpatialSlot {
  libraryId: string;
  images: Partial<Record<"hires" | "lowres", RgbImage>>;
  scalefactors: Record<string, number>;
}

export interface RgbImage {
  widthPx: number;
  heightPx: number;
  pixels: Uint8Array;
}

/** Writes a library of uns["spatial"], which must exist. */
export function writeSpatialSlot(file: AnnDataFile, spatial: SpatialSlot): void {
  const library = `uns/spatial/${keyOf(spatial.libraryId)}`;
  for (const path of [
    library,
    `${library}/images`,
    `${library}/scalefactors`,
    `${library}/metadata`,
  ]) {
    file.group(path);
  }
  for (const [name, { widthPx, heightPx, pixels }] of Object.entries(spatial.images)) {
    file.compressedArray(`${library}/images/${name}`, pixels, [heightPx, widthPx, 3]);
  }
  for (const [name, value] of Object.entries(spatial.scalefactors)) {
    file.number(`${library}/scalefactors/${name}`, value);
  }
}
