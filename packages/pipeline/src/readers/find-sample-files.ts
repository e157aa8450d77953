import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, posix, relative, resolve, sep } from "node:path";
import { InputError } from "../errors.ts";
import type { MatrixFiles, SampleFiles } from "./sample-files.ts";

export interface FindOptions {
  /** Microscope image that does not lie in the folder, or that is to be preferred to the one there. */
  image?: string | undefined;
  platform: "visium" | "hd_visium";
  /** Bin size in µm, HD only; 8 by default. */
  resolution?: "8" | "16" | undefined;
  /** What lies in the folder, where that is known from elsewhere: nothing of the disk is looked at then. */
  listing?: readonly ListedFile[] | undefined;
}

/** A file by its path below the searched folder ("/" between folders). */
export interface ListedFile {
  path: string;
  size: number;
}

/** A file below the searched folder: `folder` is relative to it, `prefix` precedes Space Ranger's own name. */
interface Found {
  path: string;
  folder: string;
  name: string;
  prefix: string;
  /** Bytes, where they are known already. */
  size?: number;
}

const MAX_DEPTH = 6;
const MAX_FILES = 50_000;
/** From this size on the text matrix takes minutes to parse, and the H5 file is read instead where both are there. */
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

/** Names of images that are no microscope image of the tissue. */
const PREVIEW = /cytassist|aligned|fiducial|detected|registered|mask|label/;

/**
 * Recognises a sample's files by their names, in a Space Ranger `outs` folder, above it, or in a flat folder;
 * names may carry a sample's prefix. Where counts lie there both as text and as H5, text is read and H5 is held
 * against it (the reverse for very large ones), so that a broken file of either kind is noticed.
 * Throws {@link InputError} naming what is missing or that several samples lie there.
 */
export async function findSampleFiles(root: string, options: FindOptions): Promise<SampleFiles> {
  const folder = resolve(root);
  const shown = basename(folder);
  if (!options.listing) await assertFolder(root, folder);
  const everything = options.listing
    ? options.listing.map(({ path, size }) => ({ ...foundFile(folder, path), size }))
    : await listFiles(folder);
  if (everything.length === 0) {
    throw new InputError(
      `The folder ${shown} is empty: give Space Ranger's outs folder, or a folder with its files.`,
    );
  }
  const { found, binned } = chooseBinFolder(everything, folder, options);
  const positions = choosePositions(found, shown, options);
  const base = positions.folder.replace(/(^|\/)spatial$/, "");

  /** The role's files of this sample, nearest first. */
  const candidates = (role: Role): Found[] =>
    found
      .filter((file) => ROLES[role].test(file.name.slice(file.prefix.length)))
      .filter((file) => file.prefix === positions.prefix || file.prefix === "")
      .map((file) => ({ file, rank: distance(file, base, positions) }))
      .sort((a, b) => a.rank - b.rank || a.file.path.localeCompare(b.file.path))
      .map(({ file }) => file);
  const nearest = (role: Role): string | null => candidates(role)[0]?.path ?? null;

  const { matrix, otherMatrix, raw } = await chooseMatrix(candidates, shown);
  const image = await chooseImage(everything, positions, base, shown, options);
  const style =
    everything.some((file) => file.folder !== "") || basename(dirname(positions.path)) === "spatial"
      ? "Space Ranger folder"
      : "flat folder";
  const layout = [
    binned === null ? style : `HD ${style}, ${binned}`,
    `positions in ${positions.name}`,
    `${raw ? "unfiltered " : ""}counts from ${matrix.format === "h5" ? basename(matrix.path) : basename(matrix.matrix)}`,
    otherMatrix ? "checked against the other format" : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
  return {
    root: folder,
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

/** Outlines of cells and nuclei that Space Ranger 4 wrote; those of this sample's prefix where names carry one. */
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
  // graphclust_annotated_cell_segmentations.geojson holds the same outlines once more.
  const cells = named(/(?<!annotated_)cell_segmentations\.geojson(\.gz)?$/);
  if (cells === null) return null;
  return { cells, nuclei: named(/(?<!annotated_)nucleus_segmentations\.geojson(\.gz)?$/) };
}

/** Throws {@link InputError} for what is no folder. */
async function assertFolder(root: string, folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => null,
  );
  if (isFolder === null) {
    throw new InputError(`The folder ${root} does not exist: check its path.`);
  }
  if (!isFolder) {
    throw new InputError(
      `${root} is a file: give the folder that holds it (Space Ranger's outs folder, or one with all the files).`,
    );
  }
}

/** A file below the searched folder, by its relative path. */
function foundFile(root: string, path: string): Found {
  const name = posix.basename(path).toLowerCase();
  const folder = posix.dirname(path);
  return {
    path: join(root, ...path.split("/")),
    folder: folder === "." ? "" : folder,
    name,
    prefix: prefixOf(name),
  };
}

async function listFiles(root: string): Promise<Found[]> {
  const files: Found[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
      throw new InputError(`The folder ${basename(path)} cannot be read: check its permissions.`, {
        cause,
      });
    });
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      if (entry.name.startsWith(".") || files.length >= MAX_FILES) continue;
      const child = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? await stat(child).catch(() => null) : entry;
      if (kind?.isDirectory()) {
        if (depth < MAX_DEPTH) await walk(child, depth + 1);
      } else if (kind?.isFile()) {
        files.push(foundFile(root, relative(root, child).split(sep).join("/")));
      }
    }
  };
  await walk(root, 0);
  return files;
}

/** What precedes Space Ranger's own file name: "gsm1_a_" of gsm1_a_barcodes.tsv.gz. */
function prefixOf(name: string): string {
  const own =
    /(tissue_(positions|hires|lowres)|scalefactors|(filtered|raw)_(feature|gene)_bc|barcodes\.|features\.|genes\.|matrix\.mtx)/.exec(
      name,
    );
  return own ? name.slice(0, own.index) : "";
}

function chooseBinFolder(
  everything: Found[],
  root: string,
  options: FindOptions,
): { found: Found[]; binned: string | null } {
  const bins = [
    ...new Set(
      everything.flatMap((file) => /(?:^|\/)(square_\d{3}um)(?:\/|$)/.exec(file.folder)?.[1] ?? []),
    ),
  ].sort();
  const segmented = (file: Found): boolean => /(^|\/)segmented_outputs(\/|$)/.test(file.folder);
  if (options.platform === "visium") {
    const found = everything.filter((file) => !file.folder.includes("binned_outputs"));
    if (bins.length > 0 && !found.some((file) => ROLES.positions.test(file.name))) {
      throw new InputError(
        `The folder ${basename(root)} holds HD Visium data (${bins.join(", ")}): choose the platform HD Visium and a bin size of 8 or 16 µm.`,
      );
    }
    return { found: found.filter((file) => !segmented(file)), binned: null };
  }
  if (bins.length === 0) return { found: everything, binned: null };
  const wanted = `square_0${(options.resolution ?? "8").padStart(2, "0")}um`;
  if (!bins.includes(wanted)) {
    throw new InputError(
      `${wanted} is missing in ${basename(root)}, which has ${bins.join(", ")}: choose another bin size or copy binned_outputs/${wanted} there.`,
    );
  }
  const found = everything.filter((file) => {
    const bin = /(?:^|\/)(square_\d{3}um)(?:\/|$)/.exec(file.folder)?.[1];
    return !segmented(file) && (bin === undefined || bin === wanted);
  });
  return { found, binned: wanted };
}

function choosePositions(found: Found[], shown: string, options: FindOptions): Found {
  const all = found.filter((file) => ROLES.positions.test(file.name));
  if (all.length === 0) {
    throw new InputError(
      `The spot positions are missing: no tissue_positions.csv, tissue_positions_list.csv or tissue_positions.parquet lies in ${shown} or its spatial folder; copy Space Ranger's spatial folder there.`,
    );
  }
  const samples = new Map<string, Found[]>();
  for (const file of all) {
    // A flat copy beside the folder it was copied from is the same sample; different prefixes are not.
    const key = `${file.folder.replace(/(^|\/)spatial$/, "")}\n${file.prefix}`;
    samples.set(key, [...(samples.get(key) ?? []), file]);
  }
  if (samples.size > 1) {
    const names = [...samples.keys()].map((key) => {
      const [folder = "", prefix = ""] = key.split("\n");
      return [folder, prefix.replace(/[_.-]+$/, "")].filter((part) => part !== "").join("/") || ".";
    });
    throw new InputError(
      `${shown} holds ${samples.size} samples (${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}): give the folder of one of them.`,
    );
  }
  const order = options.platform === "hd_visium" ? ["parquet", "csv"] : ["csv", "parquet"];
  const rank = (file: Found): number =>
    order.findIndex((ending) => file.name.replace(/\.gz$/, "").endsWith(ending)) * 2 +
    Number(file.name.includes("_list"));
  return all.sort((a, b) => rank(a) - rank(b))[0]!;
}

/** How far a file lies from the sample's own folder, in folders up and down; another prefix counts as one. */
function distance(file: Found, base: string, positions: Found): number {
  const from = base === "" ? [] : base.split("/");
  const to = file.folder === "" ? [] : file.folder.split("/");
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  const steps = from.length - shared + (to.length - shared);
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
): Promise<{ matrix: MatrixFiles; otherMatrix: MatrixFiles | null; raw: boolean }> {
  const isRaw = (file: Found): boolean => /(^|[^a-z])raw_/.test(`${file.folder}/${file.name}`);
  const unrelated = /molecule_info|cloupe|raw_probe|feature_slice/;
  const h5Files = candidates("h5").filter((file) => !unrelated.test(file.name));
  const matrices = candidates("matrix");
  for (const raw of [false, true]) {
    const h5 = h5Files.find((file) => isRaw(file) === raw);
    const matrix = matrices.find((file) => isRaw(file) === raw);
    const text = matrix ? textMatrix(matrix, candidates, shown) : null;
    if (!h5 && !text) continue;
    const binary: MatrixFiles | null = h5 ? { format: "h5", path: h5.path } : null;
    if (!binary || !text) return { matrix: (binary ?? text)!, otherMatrix: null, raw };
    const size = matrix?.size ?? (await stat(text.matrix)).size;
    // A listing tells no content; a broken H5 is noticed when it is read.
    if (
      size > LARGE_TEXT_MATRIX_BYTES &&
      (h5?.size !== undefined || (await looksWhole(binary.path)))
    ) {
      return { matrix: binary, otherMatrix: text, raw };
    }
    return { matrix: text, otherMatrix: binary, raw };
  }
  const other = candidates("unusable")[0];
  throw new InputError(
    `The counts are missing in ${shown}${other ? ` (${basename(other.path)} is no count matrix of spots)` : ""}: copy filtered_feature_bc_matrix.h5, or the folder filtered_feature_bc_matrix with barcodes.tsv.gz, features.tsv.gz and matrix.mtx.gz, there.`,
  );
}

function textMatrix(
  matrix: Found,
  candidates: (role: Role) => Found[],
  shown: string,
): Extract<MatrixFiles, { format: "mex" }> {
  const beside = (role: Role, wanted: string): string => {
    const file = candidates(role).find(
      (candidate) => candidate.folder === matrix.folder && candidate.prefix === matrix.prefix,
    );
    if (file) return file.path;
    throw new InputError(
      `${wanted} is missing beside ${matrix.name} in ${matrix.folder || shown}: copy all three files of filtered_feature_bc_matrix there.`,
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

/**
 * The microscope image. Without one, Space Ranger's positions refer to the instrument's own coarse image
 * (cytassist_image.tiff), which then takes its place.
 */
async function chooseImage(
  everything: Found[],
  positions: Found,
  base: string,
  shown: string,
  options: FindOptions,
): Promise<string | null> {
  if (options.image !== undefined) {
    const path = resolve(options.image);
    const isFile = await stat(path).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile) return path;
    throw new InputError(`The image ${options.image} does not exist: check its path.`, {
      file: basename(path),
    });
  }
  const images = everything.filter((file) => ROLES.image.test(file.name));
  const microscope = images.filter(
    (file) => !PREVIEW.test(file.name) && !/(^|\/)(spatial|analysis)$/.test(file.folder),
  );
  const named = microscope.filter((file) => /^image\.(tiff?|btf)$/.test(file.name));
  const cytassist = images.filter((file) => file.name.includes("cytassist"));
  const choice = [named, microscope, cytassist].find((list) => list.length > 0) ?? [];
  if (choice.length <= 1) return choice[0]?.path ?? null;
  const closest = Math.min(...choice.map((file) => distance(file, base, positions)));
  const near = choice.filter((file) => distance(file, base, positions) === closest);
  if (near.length === 1) return near[0].path;
  const names = near.slice(0, 4).map((file) => basename(file.path));
  throw new InputError(
    `${shown} holds several images (${names.join(", ")}): name the microscope image, or call it image.tif.`,
  );
}
