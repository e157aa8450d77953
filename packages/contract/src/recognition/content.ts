import type { OwnFile } from "../platforms/own-files.ts";
import type { CandidateFile, Named, Role } from "./candidate.ts";
import { contentKind, faultOfContent, HEAD_BYTES, type WantedContent } from "./content-kind.ts";

const TEXT = ["text", "text_utf16"] as const;
const HDF5 = ["hdf5"] as const;
const PICTURE = {
  kinds: ["png", "jpeg"],
  remedy: "take it from Space Ranger's spatial folder",
} as const;

const DRAWN = {
  kinds: ["json", "tiff", ...TEXT],
  what: "regions as GeoJSON or a label image",
  remedy: "export annotations, not cells, from QuPath as GeoJSON (File > Export objects)",
} as const;

/** What a file is given for: a role of the sample, or the user's own. */
export type Purpose = Role | OwnFile;

/** What each file must be. */
const WANTED: { readonly [P in Purpose]: WantedContent } = {
  barcodes: { kinds: TEXT, what: "the list of barcodes", remedy: "choose barcodes.tsv.gz" },
  features: { kinds: TEXT, what: "the list of genes", remedy: "choose features.tsv.gz" },
  matrix: { kinds: ["matrix_market", ...TEXT], what: "the matrix", remedy: "choose matrix.mtx.gz" },
  h5: { kinds: HDF5, what: "the matrix", remedy: "choose filtered_feature_bc_matrix.h5" },
  fine_bins: {
    kinds: HDF5,
    what: "the matrix of the 2 µm bins",
    remedy: "choose filtered_feature_bc_matrix.h5 from square_002um",
  },
  positions: {
    kinds: ["parquet", ...TEXT],
    what: "the table of positions",
    remedy:
      "choose tissue_positions.csv or tissue_positions.parquet from Space Ranger's spatial folder",
  },
  scale: {
    kinds: ["json", "server_error", "text_utf16"],
    what: "the scale factors",
    remedy: "choose scalefactors_json.json from Space Ranger's spatial folder",
  },
  hires: { ...PICTURE, what: "a PNG or JPEG picture of the tissue" },
  lowres: { ...PICTURE, what: "a PNG or JPEG picture of the tissue" },
  he_image: {
    kinds: ["tiff", "png", "jpeg"],
    what: "a TIFF, PNG, or JPEG image",
    remedy:
      "choose the full-resolution microscope image, exported as TIFF (.tif or .btf) from the scanner's or viewer's software",
  },
  cells: {
    kinds: ["json"],
    what: "the outlines of cells",
    remedy: "choose cell_segmentations.geojson from Space Ranger's segmented_outputs folder",
  },
  nuclei: {
    kinds: ["json"],
    what: "the outlines of nuclei",
    remedy: "choose nucleus_segmentations.geojson from Space Ranger's segmented_outputs folder",
  },
  reference: {
    kinds: HDF5,
    what: "an h5ad file",
    remedy: "write it with anndata's write_h5ad",
  },
  coordinates: { kinds: TEXT, what: "a table of spot coordinates", remedy: "choose the table" },
  counts: { kinds: TEXT, what: "a table of counts", remedy: "choose the table" },
  alignment: {
    kinds: ["json", ...TEXT],
    what: "an alignment",
    remedy: "use the JSON file that Loupe Browser saved",
  },
  outlines: {
    kinds: ["json", "tiff", "numpy", "parquet", ...TEXT],
    what: "the outlines of cells",
    remedy: "export the cells from QuPath as GeoJSON (File > Export objects)",
  },
  regions: DRAWN,
  excluded: DRAWN,
  kept: DRAWN,
  annotations: {
    kinds: ["json", ...TEXT],
    what: "a file of annotations",
    remedy: "save the annotations again from the interactive view",
  },
};

/** Columns that the first line of a table needs at least. */
const MIN_COLUMNS: { readonly [P in Purpose]?: number } = {
  // R names one column fewer than it writes, and programs leave out in_tissue where all spots are.
  positions: 5,
  coordinates: 2,
  counts: 2,
};

/** What a table of positions must tell, for one that was saved with less. */
const POSITIONS = "barcode, array_row, array_col, pxl_row_in_fullres, and pxl_col_in_fullres";

function firstLineOf(head: Uint8Array): string {
  return new TextDecoder().decode(head).split(/\r\n|\r|\n/, 1)[0] ?? "";
}

/** Cells of a line, whatever separates them. */
function columnsOf(line: string): number {
  return Math.max(...[",", ";", "\t", /\s+/].map((separator) => line.split(separator).length));
}

/** What a table holds, by its first lines. */
export type TableContent = "barcodes" | "features" | "matrix" | "positions" | "scale";

const TABLE_WORDS: { readonly [K in TableContent]: string } = {
  barcodes: "barcodes",
  features: "genes",
  matrix: "the matrix of counts",
  positions: "positions",
  scale: "scale factors",
};
const TABLE_ROLES = Object.keys(TABLE_WORDS) as TableContent[];

const BARCODE = /^"?(?:[ACGTN]{10,}|s_\d{3}um_\d+_\d+)(?:[-._]\d+)?"?$/;
/** A row of positions: after the barcode whether it is in tissue, row and column on the array, and two more cells at least. */
const ON_ARRAY = /^[^,]+,"?(\d|true|false)(\.0)?"?(,"?(-?\d+(\.0)?)?"?){2}(,[^,]*){2}/i;

const GENE_ID = /^"?ENS[A-Z]*G\d{11}/;
const FEATURE_TYPE = /^"?(Gene Expression|Antibody Capture|CRISPR Guide Capture|Custom)"?$/;

/** Null if the lines are of none of these tables. O(bytes). */
export function tableContent(head: Uint8Array): TableContent | null {
  const text = new TextDecoder().decode(head);
  if (/^\s*%%MatrixMarket/i.test(text)) return "matrix";
  if (/^\s*\{[^]*"(tissue_hires_scalef|spot_diameter_fullres)"/.test(text)) return "scale";
  // The last line may be cut off.
  const lines = text.split(/\r\n|\r|\n/).slice(0, 20);
  if (lines.length > 1) lines.pop();
  const rows = lines.filter((line) => line.trim() !== "").map((line) => line.split("\t"));
  if (rows.length === 0) return null;
  // Space Ranger's table of fluorescence by spot begins like its positions.
  if (/^"?barcode"?[,;\t]"?in_tissue/i.test(lines[0]!)) {
    return /row|col/i.test(lines[0]!) ? "positions" : null;
  }
  if (rows.every((row) => row.length === 1)) {
    const cells = lines.map((line) => line.split(/[,;]/));
    const isPlaced = cells.filter((row) => BARCODE.test(row[0]!) && ON_ARRAY.test(row.join()));
    if (isPlaced.length > 0 && isPlaced.length >= rows.length - 1) return "positions";
    return rows.filter(([cell = ""]) => BARCODE.test(cell)).length >= Math.max(1, rows.length - 1)
      ? "barcodes"
      : null;
  }
  return rows.every(([id = "", , type]) => GENE_ID.test(id) || FEATURE_TYPE.test(type ?? ""))
    ? "features"
    : null;
}

/** A file's first bytes, unpacked if it is a gzip file; fewer if its beginning is damaged. */
export async function headOf({ read }: CandidateFile): Promise<Uint8Array | null> {
  if (!read) return null;
  const head = await read(0, 4 * HEAD_BYTES);
  return contentKind(head) === "gzip" ? unpacked(head) : head;
}

/** What the beginning of a gzip file unpacks to. */
async function unpacked(head: Uint8Array): Promise<Uint8Array> {
  const pieces: number[] = [];
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  // The end is cut off, which is an error for both sides.
  const written = writer
    .write(head as Uint8Array<ArrayBuffer>)
    .then(() => writer.close())
    .catch(() => undefined);
  const reader = stream.readable.getReader();
  try {
    while (pieces.length < 4 * HEAD_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(...value.subarray(0, 4 * HEAD_BYTES - pieces.length));
    }
    void reader.cancel().catch(() => undefined);
  } catch {
    // What came before the cut is enough.
  }
  await written;
  return Uint8Array.from(pieces);
}

/**
 * Why a file cannot be what its name or place says, by its first bytes, as one sentence; null if nothing speaks
 * against it, or if its content is not known.
 */
export async function contentFault(role: Purpose, { file, shown }: Named): Promise<string | null> {
  const head = await headOf(file);
  return head === null ? null : faultOfHead(role, shown, head);
}

/** `contentFault` for the first bytes of a file, unpacked. */
export function faultOfHead(role: Purpose, shown: string, head: Uint8Array): string | null {
  const fault = faultOfContent(shown, head, WANTED[role]);
  if (fault !== null) return fault;
  const columns = MIN_COLUMNS[role];
  const line = firstLineOf(head);
  if (columns !== undefined && contentKind(head) === "text" && columnsOf(line) < columns) {
    const needed = role === "positions" ? `${POSITIONS} are needed; ` : "";
    return `${shown} is not ${WANTED[role].what}: its first line ("${line.slice(0, 60)}") has fewer than ${columns} columns; ${needed}${WANTED[role].remedy}.`;
  }
  if (!(TABLE_ROLES as readonly string[]).includes(role)) return null;
  const held = tableContent(head);
  if (held === null || held === role) return null;
  const isOfMatrix = role === "barcodes" || role === "features" || role === "matrix";
  const remedy = isOfMatrix
    ? `${WANTED[role].remedy}, or rename the files if their names were exchanged`
    : WANTED[role].remedy;
  return `${shown} holds ${TABLE_WORDS[held]}, not ${TABLE_WORDS[role as TableContent]}: ${remedy}.`;
}

/** Block of files that are compared in samples; smaller files are compared whole. */
const BLOCK = 2 ** 20;
const BLOCKS = 64;

/** Whether two files hold the same: compared whole up to 64 MiB, else in 64 blocks of 1 MiB spread over them. */
export async function isSameContent(a: CandidateFile, b: CandidateFile): Promise<boolean> {
  if (a.size === undefined || a.size !== b.size || !a.read || !b.read) return false;
  const blocks = Math.min(BLOCKS, Math.ceil(a.size / BLOCK));
  for (let i = 0; i < blocks; i++) {
    const start = blocks < 2 ? 0 : Math.floor(((a.size - BLOCK) * i) / (blocks - 1));
    const [one, other] = await Promise.all([
      a.read(start, start + BLOCK),
      b.read(start, start + BLOCK),
    ]);
    if (one.length !== other.length || !one.every((byte, at) => byte === other[at])) return false;
  }
  return true;
}

/** One of each content, in the given order. */
export async function distinct<N extends Named>(files: readonly N[]): Promise<N[]> {
  const kept: N[] = [];
  for (const file of files) {
    const same = await Promise.all(kept.map((other) => isSameContent(other.file, file.file)));
    if (!same.includes(true)) kept.push(file);
  }
  return kept;
}
