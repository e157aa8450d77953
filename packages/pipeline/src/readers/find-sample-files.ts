import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { platformById, type PlatformId, type Resolution } from "@stipple/contract";
import type { CandidateFile, Role } from "@stipple/contract/recognition/candidate";
import type { Recognition } from "@stipple/contract/recognition/recognition";
import { recognize } from "@stipple/contract/recognition/recognize";
import { InputError } from "../errors.ts";
import { listFolder, type ListedFile } from "./folder.ts";
import { requireSample } from "./require-sample.ts";
import type { MatrixFiles, SampleFiles, SpaceRangerMatrix } from "./sample-files.ts";

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
    throw new InputError(`The image ${image} does not exist: check its path.`, {
      file: basename(path),
    });
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
