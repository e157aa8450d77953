import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { platformById, type PlatformId, type Resolution } from "@stipple/contract";
import { type CandidateFile, type Role, named } from "@stipple/contract/recognition/candidate";
import type { Recognition } from "@stipple/contract/recognition/recognition";
import { recognize } from "@stipple/contract/recognition/recognize";
import { InputError } from "../errors.ts";
import { listFolder, type ListedFile } from "./folder.ts";
import type { MatrixFiles, SampleFiles, SpaceRangerMatrix } from "./sample-files.ts";
import { isRaw } from "@stipple/contract/recognition/names";

export interface FindOptions {
  /** Microscope image from outside the folder, or to use instead of the one there. */
  image?: string | undefined;
  /** Counts of the finest bins (H5), if the platform has them; works like the image. */
  fineBins?: string | undefined;
  platform: PlatformId;
  /** Bin size in µm, if the platform has bins; the smallest by default. */
  resolution?: Resolution | undefined;
  /** Contents of the folder, if already known; then the disk is not accessed. */
  listing?: readonly ListedFile[] | undefined;
}

/**
 * The files of the sample in a folder, as the contract's `recognize` tells them apart. Throws {@link InputError} that
 * names what is missing or cannot be used, or if there are several samples or the data are from another platform.
 */
export async function findSampleFiles(root: string, options: FindOptions): Promise<SampleFiles> {
  const folder = resolve(root);
  const subject = basename(folder);
  const { platform, resolution, listing } = options;
  if (!listing) await assertFolder(root, folder);
  const given = await givenFiles(options);
  const files: readonly CandidateFile[] = listing ?? (await listFolder(folder));
  if (files.length === 0) {
    throw new InputError(
      `The folder ${subject} is empty: use the folder that contains the sample's files.`,
    );
  }
  const recognition = await recognize(files, {
    platform,
    resolution,
    subject,
    given: [...given.keys()],
  });
  requireSample(recognition, { platform, subject, hasImage: given.has("he_image") });
  const place = ({ path }: CandidateFile): string => join(folder, ...path.split("/"));
  const pathOf = (role: Role): string | null => {
    const file = recognition.files[role];
    return given.get(role) ?? (file ? place(file) : null);
  };
  const found = sampleFiles(folder, recognition, pathOf);
  const channelFiles = recognition.channels.map(place);
  return channelFiles.length > 0 ? { ...found, image: channelFiles[0], channelFiles } : found;
}

/** Files from outside the folder, by role. Throws {@link InputError} if one does not exist. */
async function givenFiles({ image, fineBins }: FindOptions): Promise<Map<Role, string>> {
  const given = new Map<Role, string>();
  if (fineBins !== undefined) given.set("fine_bins", fineBins);
  if (image === undefined) return given;
  const path = resolve(image);
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) {
    throw new InputError(`The image ${image} does not exist: check its path.`);
  }
  return given.set("he_image", path);
}

function sampleFiles(
  root: string,
  recognition: Recognition,
  pathOf: (role: Role) => string | null,
): SampleFiles {
  const { files, leftOut } = recognition;
  const { matrix, otherMatrix } = matricesOf(recognition, pathOf);
  const positions = pathOf("positions") ?? pathOf("coordinates")!;
  const cells = pathOf("cells");
  return {
    root,
    layout: layoutOf(recognition, { positions, matrix, otherMatrix }),
    matrix,
    otherMatrix,
    positions: {
      path: positions,
      format: files.coordinates ? "table" : /\.parquet$/i.test(positions) ? "parquet" : "csv",
    },
    scalefactors: pathOf("scale"),
    hires: pathOf("hires"),
    lowres: pathOf("lowres"),
    image: pathOf("he_image"),
    segmented: cells === null ? null : { cells, nuclei: pathOf("nuclei") },
    fineBins: pathOf("fine_bins"),
    reference: pathOf("reference"),
    leftOut: leftOut.map(({ sentence, matters }) => ({ sentence, matters })),
  };
}

/** Text matrices of at least this size take minutes to parse, so the H5 file is read instead if both exist. */
const LARGE_TEXT_MATRIX_BYTES = 400e6;

/**
 * The counts to read. If they exist both as text and as H5, the text is read and the H5 is compared with it (the reverse
 * for very large ones), so that a damaged file of either kind is detected.
 */
function matricesOf(
  { files }: Recognition,
  pathOf: (role: Role) => string | null,
): { matrix: MatrixFiles; otherMatrix: SpaceRangerMatrix | null } {
  const table = pathOf("counts");
  if (table !== null) return { matrix: { format: "table", path: table }, otherMatrix: null };
  const h5 = pathOf("h5");
  const binary: SpaceRangerMatrix | null = h5 === null ? null : { format: "h5", path: h5 };
  const [barcodes, features, matrix] = [pathOf("barcodes"), pathOf("features"), pathOf("matrix")];
  const text: SpaceRangerMatrix | null =
    barcodes !== null && features !== null && matrix !== null
      ? { format: "mex", barcodes, features, matrix }
      : null;
  if (binary && text && (files.matrix?.size ?? 0) > LARGE_TEXT_MATRIX_BYTES) {
    return { matrix: binary, otherMatrix: text };
  }
  return { matrix: (text ?? binary)!, otherMatrix: text && binary };
}

/** What was recognized, for the log. */
function layoutOf(
  { files, bins, isRaw }: Recognition,
  found: { positions: string; matrix: MatrixFiles; otherMatrix: SpaceRangerMatrix | null },
): string {
  const { positions, matrix, otherMatrix } = found;
  const isFolder = Object.values(files).some(({ path }) => path.includes("/"));
  const style = isFolder ? "Space Ranger folder" : "flat folder";
  const kind = files.coordinates
    ? `${platformById("st").label} folder`
    : bins === null
      ? style
      : `HD ${style}, ${bins}`;
  return [
    kind,
    `positions in ${basename(positions)}`,
    `${isRaw ? "unfiltered " : ""}counts from ${basename("path" in matrix ? matrix.path : matrix.matrix)}`,
    ...(otherMatrix ? ["checked against the other format"] : []),
    ...(files.fine_bins ? ["2 µm bins"] : []),
  ].join(", ");
}

/** Throws {@link InputError} if it is not a folder. */
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
      `${root} is a file: use the folder that contains it and the sample's other files.`,
    );
  }
}

/** Files that change the results: without them, the run would go on with less than was meant. */
const WANTED: readonly Role[] = ["scale", "reference", "fine_bins"];

/**
 * Throws {@link InputError} for the first thing that keeps recognized files from being a sample: what cannot be decided,
 * then what is missing, and why a file that would fill the gap cannot be used.
 */
function requireSample(
  recognition: Recognition,
  options: { platform: PlatformId; subject: string; hasImage: boolean },
): void {
  const { faults } = recognition;
  const { platform, subject, hasImage } = options;
  const general = faults.find(({ role }) => role === undefined);
  if (general) throw new InputError(general.sentence);
  if (platform === "st") requireTables(recognition, subject);
  else requireSpaceRanger(recognition, { platform, subject });
  const [fault] = faults;
  if (fault) throw new InputError(fault.sentence);
  const wanted = [...WANTED, ...(hasImage ? [] : (["he_image"] as const))];
  throwIfUnreadable(recognition, wanted, { withArchives: false });
}

/** Roles of files that people have in place of the counts. */
const COUNTS_OR_CELLS: readonly string[] = ["h5", "matrix", "reference"] satisfies Role[];

function requireSpaceRanger(
  recognition: Recognition,
  { platform, subject }: { platform: PlatformId; subject: string },
): void {
  const { files } = recognition;
  if (!files.positions) {
    throwWhyMissing(
      recognition,
      ["positions"],
      `The positions are missing: ${subject} and its spatial folder contain no tissue_positions.csv, tissue_positions_list.csv, or tissue_positions.parquet; copy Space Ranger's ${platform === "hd_visium" ? "binned_outputs" : "spatial"} folder there.`,
    );
  }
  if (files.h5 || (files.matrix && files.barcodes && files.features)) return;
  if (files.matrix) {
    for (const [role, wanted] of [
      ["barcodes", "barcodes.tsv.gz"],
      ["features", "features.tsv.gz"],
    ] as const) {
      if (files[role]) continue;
      const { path } = files.matrix;
      const folder = path.split("/").slice(0, -1).join("/");
      throwWhyMissing(
        recognition,
        [role],
        `${wanted} is missing next to ${basename(path)} in ${folder || subject}: copy all three files of filtered_feature_bc_matrix there.`,
      );
    }
  }
  const other = recognition.leftOut.find(({ role = "" }) => COUNTS_OR_CELLS.includes(role));
  const why =
    other?.role === "reference"
      ? `${basename(other.file.path)} is not a count matrix of spots`
      : other?.sentence.slice(0, -1);
  throwWhyMissing(
    recognition,
    ["h5", "matrix", "barcodes", "features"],
    `The counts are missing from ${subject}${why ? ` (${why})` : ""}: copy filtered_feature_bc_matrix.h5, or the folder filtered_feature_bc_matrix with barcodes.tsv.gz, features.tsv.gz, and matrix.mtx.gz, there.`,
  );
}

function requireTables(recognition: Recognition, subject: string): void {
  for (const [role, what, wanted] of [
    [
      "coordinates",
      "The spot coordinates are missing",
      "a table with x, y, pixel_x, and pixel_y whose name has spot, coord, or selection in it, such as spot_coordinates.tsv",
    ],
    ["counts", "The counts are missing", "a table of spots × genes, such as counts.tsv.gz"],
  ] as const) {
    if (recognition.files[role]) continue;
    throwWhyMissing(recognition, [role], `${what} from ${subject}: copy ${wanted}, there.`);
  }
}

/** Throws the reason why none of these is there, which is `otherwise` if no file tells. */
function throwWhyMissing(
  recognition: Recognition<CandidateFile>,
  roles: readonly Role[],
  otherwise: string,
): never {
  const fault = recognition.faults.find(({ role }) => role && roles.includes(role));
  if (fault) throw new InputError(fault.sentence);
  throwIfUnreadable(recognition, roles, { withArchives: true });
  throw new InputError(otherwise);
}

function throwIfUnreadable(
  { leftOut }: Recognition,
  roles: readonly Role[],
  { withArchives }: { withArchives: boolean },
): void {
  const found = leftOut.filter(({ isUnreadable, matters }) => isUnreadable && matters);
  const own = found
    .filter(({ role }) => role !== undefined && roles.includes(role))
    .toSorted((a, b) => Number(isRaw(named(a.file))) - Number(isRaw(named(b.file))))[0];
  const archive = withArchives ? found.find(({ role }) => role === undefined) : undefined;
  const first = own ?? archive;
  if (first) throw new InputError(first.sentence);
}
