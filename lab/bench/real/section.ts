import sharp from "sharp";
import type { SparseMatrix } from "@stipple/numerics/matrices";

/** The name of one of a section's types in the catalog, and its lineage. */
export interface AcceptedNames {
  names: readonly string[];
  lineage: string;
}

/** One entry per transcript. */
export interface Transcripts {
  /** µm. */
  x: Float32Array;
  y: Float32Array;
  gene: Uint16Array;
  /** The cell whose outline contains it, or −1. */
  cell: Int32Array;
}

/** A measured section: single transcripts and cells under the section's own image. */
export interface MeasuredSection {
  name: string;
  species: "human" | "mouse";
  /** The catalog's name of the tissue. */
  tissue: string;
  genome: string;
  /** Image with the whole section (TIFF or JPEG); its upper left corner is the origin. */
  image: string;
  umPerPx: number;
  widthUm: number;
  heightUm: number;
  genes: string[];
  /** Names that count as right for each of its types, and the lineage whose name counts as coarser; empty: no types. */
  accepted: ReadonlyMap<string, AcceptedNames>;
  transcripts: Transcripts;
  cells: {
    /** nCells × 2, µm. */
    xy: Float64Array;
    /** Null: not judged. */
    type: (string | null)[];
    /** Counts within the outline, cells × genes. */
    counts: SparseMatrix;
  };
}

/** The label of a pixel; 0 beyond the image. */
export async function readLabels(path: string): Promise<(x: number, y: number) => number> {
  // Other color spaces round 16-bit or 32-bit values to 8 or 16 bits.
  const { depth } = await sharp(path).metadata();
  const { data, info } = await sharp(path)
    .toColourspace(depth === "ushort" ? "grey16" : "b-w")
    .raw({ depth: "uint" })
    .toBuffer({ resolveWithObject: true });
  const labels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  return (x, y) =>
    x < info.width && y < info.height ? labels[Math.floor(y) * info.width + Math.floor(x)] : 0;
}
