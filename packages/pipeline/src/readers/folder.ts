import { readdir, stat } from "node:fs/promises";
import { basename, join, posix, relative, resolve, sep } from "node:path";
import { InputError } from "../errors.ts";

/** A file in the searched folder: `folder` is relative to it, `name` is in lowercase. */
export interface FoundFile {
  path: string;
  folder: string;
  name: string;
  /** Size in bytes, if known without accessing the disk. */
  size?: number;
}

/** A file with its path relative to the searched folder ("/" between folders). */
export interface ListedFile {
  path: string;
  size: number;
}

/** Converts a listed file to a found file. */
export function listedFile(root: string, { path, size }: ListedFile): FoundFile {
  return { ...fileBelow(root, path), size };
}

function fileBelow(root: string, path: string): FoundFile {
  const folder = posix.dirname(path);
  return {
    path: join(root, ...path.split("/")),
    folder: folder === "." ? "" : folder,
    name: posix.basename(path).toLowerCase(),
  };
}

const MAX_DEPTH = 6;
const MAX_FILES = 50_000;

/**
 * All files in a folder and its subfolders. Throws {@link InputError} for a folder that cannot be read or is
 * empty.
 */
export async function listFolder(root: string): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
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
        files.push(fileBelow(root, relative(root, child).split(sep).join("/")));
      }
    }
  };
  await walk(root, 0);
  return files;
}

/** Number of steps up and down between two folders. */
export function foldersBetween(a: string, b: string): number {
  const from = a === "" ? [] : a.split("/");
  const to = b === "" ? [] : b.split("/");
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return from.length - shared + (to.length - shared);
}

function isCalledImage({ name }: FoundFile): boolean {
  return /^image\.[a-z]+$/.test(name);
}

/** Names of images that are not microscope images of the tissue. */
const PREVIEW = /cytassist|aligned|fiducial|detected|registered|mask|label/;

/**
 * Other formats used for microscope images; other pictures in these formats are so common that finding several of them
 * means nothing.
 */
const OTHER_FORMATS = /\.(jpe?g|png|svs|qptiff)$/;
/** Figures drawn from a sample. */
const FIGURE = /hires|lowres|thumbnail|figure|plot|umap|tsne/;

/**
 * The microscope image: the given one, else the one called image, else the only one or the nearest by
 * `distance`, else the only one in another format. Throws {@link InputError} if it is missing or ambiguous.
 */
export async function chooseImageFile(
  files: readonly FoundFile[],
  options: {
    given: string | undefined;
    shown: string;
    pattern: RegExp;
    distance: (file: FoundFile) => number;
    /** Images to use if there is no other. */
    lastResort?: RegExp;
  },
): Promise<string | null> {
  const { given, shown, pattern, distance, lastResort } = options;
  if (given !== undefined) {
    const path = resolve(given);
    const isFile = await stat(path).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile) return path;
    throw new InputError(`The image ${given} does not exist: check its path.`, {
      file: basename(path),
    });
  }
  const images = files.filter((file) => pattern.test(file.name));
  const isMicroscope = ({ name, folder }: FoundFile): boolean =>
    !PREVIEW.test(name) && !/(^|\/)(spatial|analysis)$/.test(folder);
  const microscope = images.filter(isMicroscope);
  const named = microscope.filter(isCalledImage);
  const rest = files.filter(
    (file) => OTHER_FORMATS.test(file.name) && !FIGURE.test(file.name) && isMicroscope(file),
  );
  const calledImage = rest.filter(isCalledImage);
  const inOtherFormat = calledImage.length > 0 ? calledImage : rest;
  const others = images.filter((file) => lastResort?.test(file.name));
  const lists = [named, microscope, inOtherFormat.length === 1 ? inOtherFormat : [], others];
  const choice = lists.find((list) => list.length > 0) ?? [];
  if (choice.length <= 1) return choice[0]?.path ?? null;
  const closest = Math.min(...choice.map(distance));
  const near = choice.filter((file) => distance(file) === closest);
  if (near.length === 1) return near[0].path;
  const names = near.slice(0, 4).map((file) => basename(file.path));
  throw new InputError(
    `${shown} contains several images (${names.join(", ")}): specify the microscope image, or name it image.tif.`,
  );
}
