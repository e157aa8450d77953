import { open, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { InputError } from "../../errors.ts";
import { chooseImageFile, foldersBetween, type FoundFile } from "../folder.ts";
import type { FolderSearch } from "../platform-reader.ts";
import type { SampleFiles, SpaceRangerMatrix } from "../sample-files.ts";

/** A file in the searched folder; `prefix` precedes Space Ranger's own name. */
interface Found extends FoundFile {
  prefix: string;
}

/** Which files in a folder may belong to the sample. */
export interface Choice {
  files: readonly FoundFile[];
  /** The chosen bin folder, if there are bins. */
  binned: string | null;
  /** Formats of positions, in order of preference. */
  formats: readonly ("csv" | "parquet")[];
}

/** Text matrices of at least this size take minutes to parse, so the H5 file is read instead if both exist. */
const LARGE_TEXT_MATRIX_BYTES = 400e6;

const ROLES = {
  positions: /tissue_positions(_list)?\.(csv(\.gz)?|parquet)$/,
  scalefactors: /scalefactors.*\.json(\.gz)?$/,
  hires: /(^|[^a-z])hires.*\.(png|jpe?g)$/,
  lowres: /(^|[^a-z])lowres.*\.(png|jpe?g)$/,
  h5: /(feature|gene)_bc_matri(x|ces)(_h5)?\.h5$|^[^.]*\.h5$/,
  barcodes: /barcodes\.tsv(\.gz)?$/,
  features: /(features|genes)\.tsv(\.gz)?$/,
  matrix: /matrix\.mtx(\.gz)?$/,
  image: /\.(tiff?|btf)$/,
  unusable: /molecule_info\.h5$|\.h5ad$|\.cloupe$|\.rds$|\.loom$/,
} as const;
type Role = keyof typeof ROLES;

/**
 * Recognizes a sample's files by name, in a Space Ranger `outs` folder, in a parent of it, or in a flat folder;
 * names may have a sample prefix. If counts exist both as text and as H5, the text is read and the H5 is
 * compared with it (the reverse for very large ones), so that a damaged file of either kind is detected. Throws
 * {@link InputError} that names what is missing or reports several samples.
 */
export async function findSpaceRangerFiles(
  search: FolderSearch,
  choice: Choice,
): Promise<SampleFiles> {
  const { root, shown } = search;
  const everything = search.files.map(withPrefix);
  const found = choice.files.map(withPrefix);
  const { binned } = choice;
  const positions = choosePositions(found, shown, choice.formats);
  const base = positions.folder.replace(/(^|\/)spatial$/, "");

  /** This sample's files for the role, nearest first. */
  const candidates = (role: Role): Found[] =>
    found
      .filter((file) => ROLES[role].test(file.name.slice(file.prefix.length)))
      .filter((file) => file.prefix === positions.prefix || file.prefix === "")
      .map((file) => ({ file, rank: distance(file, base, positions) }))
      .sort((a, b) => a.rank - b.rank || a.file.path.localeCompare(b.file.path))
      .map(({ file }) => file);
  const nearest = (role: Role): string | null => candidates(role)[0]?.path ?? null;

  const { matrix, otherMatrix, raw } = await chooseMatrix(candidates, shown);
  // Without a microscope image, positions refer to the instrument's own low-resolution one, which is used
  // instead.
  const image = await chooseImageFile(search.files, {
    given: search.image,
    shown,
    pattern: ROLES.image,
    distance: (file) => distance(withPrefix(file), base, positions),
    lastResort: /cytassist/,
  });
  const style =
    everything.some((file) => file.folder !== "") || basename(dirname(positions.path)) === "spatial"
      ? "Space Ranger folder"
      : "flat folder";
  const layout = [
    binned === null ? style : `HD ${style}, ${binned}`,
    `positions in ${basename(positions.path)}`,
    `${raw ? "unfiltered " : ""}counts from ${matrix.format === "h5" ? basename(matrix.path) : basename(matrix.matrix)}`,
    otherMatrix ? "checked against the other format" : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
  return {
    root,
    layout,
    matrix,
    otherMatrix,
    positions: {
      path: positions.path,
      format: positions.name.endsWith(".parquet") ? "parquet" : "csv",
    },
    scalefactors: nearest("scalefactors"),
    hires: nearest("hires"),
    lowres: nearest("lowres"),
    image,
    segmented: segmentedOutputs(everything, positions),
  };
}

/**
 * Outlines of cells and nuclei written by Space Ranger 4; those with this sample's prefix if names have one.
 */
function segmentedOutputs(
  everything: readonly Found[],
  positions: Found,
): SampleFiles["segmented"] {
  const named = (pattern: RegExp): string | null => {
    const files = everything.filter((file) => pattern.test(file.name));
    const own = files.find(
      (file) => positions.prefix !== "" && file.name.startsWith(positions.prefix),
    );
    return (own ?? files[0])?.path ?? null;
  };
  // graphclust_annotated_cell_segmentations.geojson contains the same outlines again.
  const cells = named(/(?<!annotated_)cell_segmentations\.geojson(\.gz)?$/);
  if (cells === null) return null;
  return { cells, nuclei: named(/(?<!annotated_)nucleus_segmentations\.geojson(\.gz)?$/) };
}

function withPrefix(file: FoundFile): Found {
  return { ...file, prefix: prefixOf(file.name) };
}

/** The text before Space Ranger's own file name: "gsm1_a_" in gsm1_a_barcodes.tsv.gz. */
function prefixOf(name: string): string {
  const own =
    /(tissue_(positions|hires|lowres)|scalefactors|(filtered|raw)_(feature|gene)_bc|barcodes\.|features\.|genes\.|matrix\.mtx)/.exec(
      name,
    );
  return own ? name.slice(0, own.index) : "";
}

/** The spot positions file that identifies Space Ranger data; null if there is none. */
export function positionsAmong(files: readonly FoundFile[]): string | null {
  return files.find((file) => ROLES.positions.test(file.name))?.name ?? null;
}

/** Space Ranger 4's counts per cell, not per spot or bin. */
export function isSegmented(file: FoundFile): boolean {
  return /(^|\/)segmented_outputs(\/|$)/.test(file.folder);
}

function choosePositions(
  found: readonly Found[],
  shown: string,
  formats: Choice["formats"],
): Found {
  const all = found.filter((file) => ROLES.positions.test(file.name));
  if (all.length === 0) {
    throw new InputError(
      `The spot positions are missing: ${shown} and its spatial folder contain no tissue_positions.csv, tissue_positions_list.csv or tissue_positions.parquet; copy Space Ranger's spatial folder there.`,
    );
  }
  const samples = new Map<string, Found[]>();
  for (const file of all) {
    // A flat copy next to the folder it was copied from is the same sample; different prefixes are not.
    const key = `${file.folder.replace(/(^|\/)spatial$/, "")}\n${file.prefix}`;
    samples.set(key, [...(samples.get(key) ?? []), file]);
  }
  if (samples.size > 1) {
    const names = [...samples.keys()].map((key) => {
      const [folder = "", prefix = ""] = key.split("\n");
      return [folder, prefix.replace(/[_.-]+$/, "")].filter((part) => part !== "").join("/") || ".";
    });
    throw new InputError(
      `${shown} contains ${samples.size} samples (${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}): use the folder of one of them.`,
    );
  }
  const rank = (file: Found): number =>
    formats.findIndex((ending) => file.name.replace(/\.gz$/, "").endsWith(ending)) * 2 +
    Number(file.name.includes("_list"));
  return all.sort((a, b) => rank(a) - rank(b))[0]!;
}

/** Distance of a file from the sample's own folder, in folders up and down; a different prefix adds one. */
function distance(file: Found, base: string, positions: Found): number {
  const steps = foldersBetween(base, file.folder);
  return steps + (file.prefix === positions.prefix ? 0 : 0.5) + (isExact(file) ? 0 : 0.25);
}

function isExact(file: Found): boolean {
  return /^tissue_(hires|lowres)_image\.png$|^scalefactors_json\.json$|^filtered_feature_bc_matrix\.h5$/.test(
    file.name.slice(file.prefix.length),
  );
}

async function chooseMatrix(
  candidates: (role: Role) => Found[],
  shown: string,
): Promise<{ matrix: SpaceRangerMatrix; otherMatrix: SpaceRangerMatrix | null; raw: boolean }> {
  const isRaw = (file: Found): boolean => /(^|[^a-z])raw_/.test(`${file.folder}/${file.name}`);
  const unrelated = /molecule_info|cloupe|raw_probe|feature_slice/;
  const h5Files = candidates("h5").filter((file) => !unrelated.test(file.name));
  const matrices = candidates("matrix");
  for (const raw of [false, true]) {
    const h5 = h5Files.find((file) => isRaw(file) === raw);
    const matrix = matrices.find((file) => isRaw(file) === raw);
    const text = matrix ? textMatrix(matrix, candidates, shown) : null;
    if (!h5 && !text) continue;
    const binary: SpaceRangerMatrix | null = h5 ? { format: "h5", path: h5.path } : null;
    if (!binary || !text) return { matrix: (binary ?? text)!, otherMatrix: null, raw };
    const bytes = matrix?.size ?? (await stat(text.matrix)).size;
    // A listing does not reveal content; a damaged H5 is detected when it is read.
    if (
      bytes > LARGE_TEXT_MATRIX_BYTES &&
      (h5?.size !== undefined || (await looksWhole(binary.path)))
    ) {
      return { matrix: binary, otherMatrix: text, raw };
    }
    return { matrix: text, otherMatrix: binary, raw };
  }
  const other = candidates("unusable")[0];
  throw new InputError(
    `The counts are missing from ${shown}${other ? ` (${basename(other.path)} is not a count matrix of spots)` : ""}: copy filtered_feature_bc_matrix.h5, or the folder filtered_feature_bc_matrix with barcodes.tsv.gz, features.tsv.gz and matrix.mtx.gz, there.`,
  );
}

function textMatrix(
  matrix: Found,
  candidates: (role: Role) => Found[],
  shown: string,
): Extract<SpaceRangerMatrix, { format: "mex" }> {
  const beside = (role: Role, wanted: string): string => {
    const file = candidates(role).find(
      (candidate) => candidate.folder === matrix.folder && candidate.prefix === matrix.prefix,
    );
    if (file) return file.path;
    throw new InputError(
      `${wanted} is missing next to ${basename(matrix.path)} in ${matrix.folder || shown}: copy all three files of filtered_feature_bc_matrix there.`,
      { file: wanted },
    );
  };
  return {
    format: "mex",
    barcodes: beside("barcodes", "barcodes.tsv.gz"),
    features: beside("features", "features.tsv.gz"),
    matrix: matrix.path,
  };
}

/** Whether a file starts like HDF5. */
async function looksWhole(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const head = Buffer.alloc(8);
    await handle.read(head, 0, 8, 0);
    return head.toString("latin1") === "\x89HDF\r\n\x1a\n";
  } finally {
    await handle.close();
  }
}
