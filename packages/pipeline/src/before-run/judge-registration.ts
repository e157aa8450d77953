import { basename } from "node:path";
import type { RegistrationLook } from "@stipple/contract/routes/registration";
import type { ImageFacts } from "../facts.ts";
import { TURNS } from "../optics/compare-picture.ts";
import { inspectImage } from "../optics/inspect-image.ts";
import type { MaskOnImage } from "../optics/sample-windows.ts";
import type { TissueImage } from "../readers/images/tissue-image.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import type { SampleWords } from "../readers/sample.ts";
import { InputError } from "../errors.ts";
import type { AnalysisSettings } from "../settings.ts";
import { spotsOnImage } from "../steps/0-feature-initialization/spots-on-image.ts";
import { checkPicture, SAME } from "../steps/1-optical-decomposition/check-picture.ts";
import { findTissue } from "../steps/1-optical-decomposition/find-tissue.ts";

type Judgment = Pick<RegistrationLook, "tone" | "sentence">;

/** How well spots and image belong together, as far as it shows without counts. */
interface Facing {
  /** Share of the spots on tissue. */
  onTissue: number;
  /** The most with the spots turned or mirrored, and how the image would have been turned. */
  onTissueTurned: number;
  turnedWords: string;
  /** Correlation of the image with Space Ranger's picture of it; null if they cannot be compared. */
  likePicture: number | null;
}

interface Seen {
  image: TissueImage;
  /** Whether it is the image that is analyzed, not Space Ranger's picture of it. */
  isOwn: boolean;
  facts: ImageFacts;
  /** Of the image that positions refer to, px. */
  size: { width: number; height: number };
  files: SampleFiles;
  settings: AnalysisSettings;
  signal: AbortSignal;
}

/** Spots belong on tissue; turned ones on as much more tissue are suspicious. */
const MOST = 0.9;
const FEW = 0.5;
const MORE_TURNED = 0.15;

/**
 * Judges places of spots in tissue (full-resolution px) by the tissue under them and by Space Ranger's picture, and first
 * whether the image has the chosen staining: with the other one, tissue is not seen where it is.
 */
export async function judgeRegistration(
  seen: Seen,
  { x, y, words }: { x: Float64Array; y: Float64Array; words: SampleWords },
): Promise<Judgment> {
  const { image, isOwn, facts, size, files, settings, signal } = seen;
  const umPerPixel = (facts.micronsPerPixel * facts.widthPx) / image.widthPx;
  const { staining } = settings;
  const { overview, tissue, fluorescent } = await findTissue(image, {
    umPerPixel,
    staining,
    signal,
  });
  const share = (turn: (u: number, v: number) => [number, number]): number =>
    onTissue(tissue, x, y, size, turn);
  const asGiven = share((u, v) => [u, v]);
  // Space Ranger's picture of fluorescence can be too dark to look at, and still show the tissue.
  const isJudged = isOwn || !fluorescent || asGiven < FEW;
  const look = isJudged ? await judgeLook(seen, x, y) : null;
  if (look?.tone === "bad") return look;
  const [best] = TURNS.map(([words, turn]) => ({ words, share: share(turn) })).sort(
    (a, b) => b.share - a.share,
  );
  const picture = isOwn
    ? await checkPicture(
        files,
        facts,
        { data: overview.signal, width: tissue.width, height: tissue.height },
        { fluorescent, ownUmPerPx: image.metadataMicronsPerPixel, signal },
      )
    : { like: null, mismatch: null };
  const off = faultOfPlaces(x, y, facts, words);
  if (off !== null) return { tone: "bad", sentence: off };
  if (picture.mismatch !== null) return { tone: "bad", sentence: `${picture.mismatch}.` };
  const judged = inWords(
    {
      onTissue: asGiven,
      onTissueTurned: best.share,
      turnedWords: best.words,
      likePicture: picture.like,
    },
    words.noun,
  );
  return judged.tone === "ok" ? (look ?? judged) : judged;
}

/** What is wrong with the image's pixels; null if nothing is. */
async function judgeLook(
  { image, size, settings: { staining }, signal }: Seen,
  x: Float64Array,
  y: Float64Array,
): Promise<Judgment | null> {
  const data = Float64Array.from({ length: 2 * x.length }, (_, k) => (k % 2 ? y : x)[k >> 1]);
  const facts = { file: basename(image.path), scale: size.width / image.widthPx };
  try {
    const xy = { nRows: x.length, nCols: 2, data };
    const [warning] = await inspectImage(image, xy, facts, { staining, signal });
    return warning === undefined ? null : { tone: "warn", sentence: warning };
  } catch (error) {
    if (error instanceof InputError) return { tone: "bad", sentence: error.message };
    throw error;
  }
}

function faultOfPlaces(
  x: Float64Array,
  y: Float64Array,
  facts: ImageFacts,
  words: SampleWords,
): string | null {
  try {
    spotsOnImage(x, y, facts, words);
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

function inWords(
  { onTissue, onTissueTurned, turnedWords, likePicture }: Facing,
  noun: SampleWords["noun"],
): Judgment {
  const percent = (value: number): string => `${Math.round(100 * value)}%`;
  const lie = `${percent(onTissue)} of the ${noun}s lie on tissue`;
  if (onTissueTurned >= onTissue + MORE_TURNED) {
    return {
      tone: "warn",
      sentence: `${lie}, but ${percent(onTissueTurned)} would if the image were ${turnedWords}: check its orientation, or align the ${noun}s below.`,
    };
  }
  if (onTissue < FEW) {
    return {
      tone: "warn",
      sentence: `Only ${lie}: the image may be another one, turned, or mirrored; use the image that Space Ranger was run with, or align the ${noun}s below.`,
    };
  }
  if (likePicture !== null && likePicture >= SAME) {
    return {
      tone: "ok",
      sentence: `${lie}, and the image is the one in Space Ranger's picture (correlation ${likePicture.toFixed(2)}).`,
    };
  }
  const rest = `If they don't follow the shape of the tissue, the image is another one, turned, or mirrored, or the ${noun}s must be aligned.`;
  return { tone: onTissue >= MOST ? "ok" : "warn", sentence: `${lie}. ${rest}` };
}

function onTissue(
  { mask, width, height }: MaskOnImage,
  x: Float64Array,
  y: Float64Array,
  size: { width: number; height: number },
  turn: (u: number, v: number) => [number, number],
): number {
  let hits = 0;
  for (let spot = 0; spot < x.length; spot++) {
    const [u, v] = turn(x[spot] / size.width, y[spot] / size.height);
    const [column, row] = [Math.floor(u * width), Math.floor(v * height)];
    if (column < 0 || row < 0 || column >= width || row >= height) continue;
    hits += mask[row * width + column];
  }
  return x.length > 0 ? hits / x.length : 0;
}
