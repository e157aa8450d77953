import { foldersBetween, list, type CandidateFile, type Named, type Role } from "./candidate.ts";
import { distinct } from "./content.ts";
import { shapeOf, type ImageShape } from "./image-shape.ts";
import { soundsDerived, soundsLikeLabels, soundsLikeMicroscope, TIFF_LIKE } from "./names.ts";
import type { Fault } from "./recognition.ts";

/** Largest difference between the proportions of an image and its reduced picture. */
const SHAPE_TOLERANCE = 0.02;
/** Largest difference between the size of an image and that computed from its reduced picture. */
const SIZE_TOLERANCE = 0.005;

/** What Space Ranger's reduced picture says about the image it was made from. */
export interface Expected {
  picture: string;
  widthPx: number;
  heightPx: number;
  /** Size of the full-resolution image; null without scale factors. */
  full: { widthPx: number; heightPx: number } | null;
}

/** The full-resolution image is read from here; null if there is no picture or its size is unknown. */
export async function expectedFrom(
  hires: Named | undefined,
  scale: Named | undefined,
): Promise<Expected | null> {
  const shape = hires ? await shapeOf(hires.file) : null;
  if (!hires || !shape) return null;
  const factor = await hiresFactor(scale);
  const { widthPx, heightPx } = shape;
  const full = factor === null ? null : { widthPx: widthPx / factor, heightPx: heightPx / factor };
  return { picture: hires.shown, widthPx, heightPx, full };
}

const LARGEST_SCALEFACTORS = 2 ** 16;

async function hiresFactor(scale: Named | undefined): Promise<number | null> {
  const bytes = await scale?.file.read?.(0, LARGEST_SCALEFACTORS);
  const text = bytes ? new TextDecoder().decode(bytes) : "";
  const found = /"tissue_hires_scalef"\s*:\s*\[?\s*([\d.eE+-]+)/.exec(text)?.[1];
  const factor = Number(found);
  return factor > 0 && Number.isFinite(factor) ? factor : null;
}

/** 3: the size the positions refer to; 2: its proportions; 1: not known; 0: another shape. */
type Fit = 0 | 1 | 2 | 3;

function fitOf(shape: ImageShape | null, expected: Expected | null): Fit {
  if (!shape || !expected) return 1;
  const near = (a: number, b: number, tolerance: number): boolean =>
    Math.abs(a / b - 1) <= tolerance;
  const ratio = expected.widthPx / expected.heightPx;
  for (const [width, height] of [
    [shape.widthPx, shape.heightPx],
    // Scans are turned by a tag or by hand.
    [shape.heightPx, shape.widthPx],
  ] as const) {
    const { full } = expected;
    if (
      full &&
      near(width, full.widthPx, SIZE_TOLERANCE) &&
      near(height, full.heightPx, SIZE_TOLERANCE)
    ) {
      return 3;
    }
    if (near(width / height, ratio, SHAPE_TOLERANCE)) return 2;
  }
  return 0;
}

interface Seen<F extends CandidateFile> extends Named<F> {
  shape: ImageShape | null;
  fit: Fit;
}

export interface ImageChoice<F extends CandidateFile> {
  image: F | null;
  channels: F[];
  rejected: { file: Named<F>; why: string }[];
  fault: Fault<F> | null;
}

/**
 * The microscope image among files that are images: by size and proportions, where Space Ranger's picture tells them;
 * then by name, format and place. Several that cannot be told apart are a fault, unless they are the same or channels.
 */
export async function chooseImage<F extends CandidateFile>(
  candidates: readonly Named<F>[],
  facts: { expected: Expected | null; base: string; prefix: string; subject: string },
): Promise<ImageChoice<F>> {
  const { expected, base, prefix, subject } = facts;
  const seen = await Promise.all(
    candidates.map(async (each): Promise<Seen<F>> => {
      const shape = await shapeOf(each.file);
      return { ...each, shape, fit: fitOf(shape, expected) };
    }),
  );
  const rejected: ImageChoice<F>["rejected"] = [];
  const possible = seen.filter((each) => {
    const why = whyNot(each, expected);
    if (why !== null) rejected.push({ file: each, why });
    return why === null;
  });
  // Pictures in these formats are so common that several of them mean nothing.
  const simple = possible.filter((each) => !TIFF_LIKE.test(each.name) && each.fit < 2);
  const isAlone = possible.length === 1;
  const ranks = possible
    .filter((each) => isAlone || !simple.includes(each) || soundsLikeMicroscope(each))
    .map((each) => ({
      each,
      rank: [
        each.fit,
        soundsDerived(each) ? 0 : 1,
        /\.(tiff?|btf)$/.test(each.name) ? 2 : TIFF_LIKE.test(each.name) ? 1 : 0,
        soundsLikeMicroscope(each) ? 1 : 0,
        prefix !== "" && each.name.startsWith(prefix) ? 1 : 0,
        -foldersBetween(base, each.folder),
      ],
    }))
    .sort((a, b) => compareRanks(b.rank, a.rank));
  const top = ranks.filter(({ rank }) => compareRanks(rank, ranks[0]!.rank) === 0);
  const chosen = await distinct(top.map(({ each }) => each));
  const image = chosen.length === 1 ? chosen[0]! : null;
  const channels = image ? [] : channelsAmong(chosen);
  const isUndecided = image === null && channels.length === 0;
  for (const each of possible) {
    if (each === image || channels.includes(each)) continue;
    if (isUndecided && chosen.includes(each)) continue;
    rejected.push({
      file: each,
      why: image
        ? `is not needed: ${image.shown} is the microscope image`
        : "is not recognized as the microscope image: choose it, or name it image.tif",
    });
  }
  const names = list(chosen.map(({ shown }) => shown));
  return {
    image: image?.file ?? null,
    channels: channels.map(({ file }) => file),
    rejected,
    fault:
      isUndecided && chosen.length > 1
        ? {
            role: "he_image" satisfies Role,
            files: chosen.map(({ file }) => file),
            sentence: `${subject} contains several images (${names}): choose the microscope image, or name it image.tif.`,
          }
        : null,
  };
}

/** Greater than 0 if `a` ranks above `b`. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** Why an image cannot be the microscope image whatever the others are; null if it can. */
function whyNot(image: Seen<CandidateFile>, expected: Expected | null): string | null {
  const { shape, fit, name, folder } = image;
  if (soundsLikeLabels(image) && !(fit >= 2 && shape && shape.samples >= 3)) {
    return "is called a mask or labels, so it is not taken for the microscope image: rename it if it is";
  }
  const isAmongPictures = /(^|\/)spatial$/i.test(folder);
  if (isAmongPictures && (expected ? fit < 2 : !soundsLikeMicroscope(image))) {
    return expected && shape
      ? `lies among Space Ranger's pictures and has other proportions than ${expected.picture}: choose it if it is the microscope image`
      : "lies among Space Ranger's pictures: choose it if it is the microscope image";
  }
  if (TIFF_LIKE.test(name) || !expected || !shape) return null;
  if (fit < 2) {
    return `has other proportions than ${expected.picture}, so it is not taken for the microscope image`;
  }
  return shape.widthPx * shape.heightPx <= expected.widthPx * expected.heightPx
    ? `is no larger than ${expected.picture}, which is used`
    : null;
}

/**
 * Nuclear stains, fluorophores and their lasers, common markers, numbered channels, and the colors of H&E; some programs
 * put a channel's number before its name ("w1DAPI").
 */
const CHANNEL =
  /^(?:w\d|ch?\d+)?(dapi|hoechst\d*|draq5|sytox|nuclei|fitc|gfp|rfp|yfp|cfp|tritc|txred|texasred|mcherry|cy\d+|af\d{3}|alexa\d*|a\d{3}|opal\d{3}|(405|488|555|561|594|640|647)(nm)?|\d{3}nm|cd\d+[a-z]?|panck|ki67|neun|gfap|iba1|sma|ch?\d+|w\d|channel\d+|red|green|blue|r|g|b)$/;

const NUCLEI = /dapi|hoechst|draq5|sytox|nuclei/;

/** The images, if they are grayscale, of one shape, and called alike except for one word that names a channel. */
function channelsAmong<F extends CandidateFile>(images: readonly Seen<F>[]): Seen<F>[] {
  const [first] = images;
  if (!first?.shape || images.length < 2) return [];
  const { widthPx, heightPx } = first.shape;
  const isAlike = images.every(
    ({ shape, folder }) =>
      shape?.widthPx === widthPx &&
      shape.heightPx === heightPx &&
      shape.samples === 1 &&
      folder === first.folder,
  );
  const words = images.map(({ name }) => name.replace(/\.[a-z.]+$/, "").split(/[^a-z0-9]+/));
  const length = words[0]!.length;
  if (!isAlike || words.some((each) => each.length !== length)) return [];
  const differing = words[0]!.flatMap((word, at) =>
    words.every((each) => each[at] === word) ? [] : [at],
  );
  const [at] = differing;
  const isChannels = differing.length === 1 && words.some((each) => CHANNEL.test(each[at!]!));
  if (!isChannels) return [];
  // The stain of the nuclei comes first, as in most files of several channels.
  const rank = ({ name }: Seen<F>): number => (NUCLEI.test(name) ? 0 : 1);
  return images.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
