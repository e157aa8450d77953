import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp from "sharp";
import type { StainModel } from "@stipple/pipeline/internal/facts";
import type { Polygons } from "@stipple/numerics/matrices";
import { openTissueImage } from "@stipple/pipeline/samples";
import { readNpy } from "@stipple/formats/npy";
import { estimateStains } from "@stipple/pipeline/internal/optics/estimate-stains";
import {
  brightfieldPlanes,
  type StainPlanes,
} from "@stipple/pipeline/internal/steps/2-morphological-analysis/stain-planes";
import { step } from "@stipple/pipeline/internal/steps/2-morphological-analysis/step";
import { workingScale } from "@stipple/pipeline/internal/steps/2-morphological-analysis/tile-plan";
import { simulateTissue, type TissueOptions } from "@stipple/tissue";

const DATA = resolve(import.meta.dirname, "../../../shared/data");

/** An image with known nuclei. */
export interface LabeledImage {
  name: string;
  width: number;
  height: number;
  umPerPx: number;
  stains: StainPlanes;
  /** Nucleus of each pixel, 1 … count; 0 = none. */
  labels: Int32Array;
  count: number;
  /** 1 = unknown whether nucleus or background. */
  ignore: Uint8Array | null;
  /** Hand-placed centers as alternating x, y, if the data set has them. */
  centers: number[] | null;
}

export interface LabeledSet {
  name: string;
  /** Whether nothing was trained on it; "by name" if only some of its images were held out. */
  unseen: boolean | "by name";
  images(): AsyncGenerator<LabeledImage>;
}

interface FolderOptions {
  /** File pixels per 0.5 µm pixel; the masks' zoom is unknown, so it is set from the median nucleus (35 µm²). */
  scale: (name: string) => number | "by nuclei";
  fluorescent?: boolean;
  ignore?: boolean;
  dots?: boolean;
}

/**
 * Seed, species, staining, difficulty. The first two are trained on;
 * the others never. Those with difficulty 1 are called "hard".
 */
const RENDERED = [
  [11, "human", "h_and_e", 0],
  [12, "mouse", "h_and_e", 0],
  [13, "human", "h_and_e", 0],
  [14, "mouse", "h_and_e", 0],
  [15, "human", "if", 0],
  [16, "mouse", "if", 0],
  [23, "human", "h_and_e", 1],
  [24, "mouse", "h_and_e", 1],
  [25, "human", "if", 1],
  [26, "mouse", "if", 1],
] as const;

/** Parameters of step 2 that nobody changed. */
const MORPHOLOGY = step.params.parse({});
const RENDERED_UM_PER_PX = 0.5;

const MEDIAN_NUCLEUS_PX = 140;

interface Resolution {
  /** Pixels to resample to; those in which step 2 reads the image if omitted. */
  umPerPx?: number | undefined;
  finerThan?: number;
  scannedAt?: number;
}

/**
 * Every available set: those in the data folder, limited to images with pixels smaller than `finerThan` µm; and, if they
 * can be read at 0.5 µm per pixel, rendered tissues, generated on the fly. `scannedAt`: as if brightfield images
 * had come from a coarser scan with pixels of that many µm.
 */
export function labeledSets(
  workFolder: string,
  { umPerPx, finerThan = Infinity, scannedAt = 0 }: Resolution = {},
): LabeledSet[] {
  const coarseness = Math.max(1, scannedAt / (umPerPx ?? RENDERED_UM_PER_PX));
  const sets: LabeledSet[] = [];
  const add = (name: string, folder: string, options: FolderOptions): void => {
    const path = join(DATA, folder);
    if (existsSync(path))
      sets.push({
        name,
        unseen: "by name",
        images: () => folderImages(path, options, { umPerPx, finerThan, coarseness }),
      });
  };
  add("he-breast", "nuclei-he-breast", { scale: () => 1, ignore: true, dots: true });
  add("he-cellbindb", "nuclei-he-cellbindb", {
    scale: (name) => (name.startsWith("xenium") ? 0.27 / 0.5 : 1),
  });
  add("he-like", "nuclei-masks/he_like", { scale: () => "by nuclei" });
  add("purple-gray", "nuclei-masks/brightfield_purple_gray", { scale: () => "by nuclei" });
  add("fluorescence", "nuclei-masks/fluo", { scale: () => "by nuclei", fluorescent: true });
  const wanted =
    (umPerPx ?? RENDERED_UM_PER_PX) === RENDERED_UM_PER_PX && finerThan > RENDERED_UM_PER_PX
      ? RENDERED
      : [];
  for (const [seed, species, staining, imageDifficulty] of wanted) {
    const folder = join(workFolder, `tissue-${seed}`);
    const words = [
      imageDifficulty > 0 ? "hard" : "rendered",
      species,
      ...(staining === "if" ? ["if"] : []),
      seed,
    ];
    sets.push({
      name: words.join("-"),
      unseen: seed > 12,
      images: () =>
        renderedImages(folder, { seed, species, staining, imageDifficulty }, coarseness),
    });
  }
  return sets;
}

async function* folderImages(
  folder: string,
  options: FolderOptions,
  { umPerPx, finerThan, coarseness }: Resolution & { finerThan: number; coarseness: number },
): AsyncGenerator<LabeledImage> {
  for (const file of (await readdir(join(folder, "images"))).sort()) {
    const raw = await readLabels(join(folder, "labels", file));
    const wanted = options.scale(file);
    const zoom =
      wanted === "by nuclei"
        ? Math.min(2.5, Math.max(0.3, Math.sqrt(MEDIAN_NUCLEUS_PX / medianArea(raw.labels))))
        : wanted;
    if (0.5 * zoom >= finerThan) continue;
    const readAt = umPerPx ?? workingScale(0.5 * zoom, MORPHOLOGY);
    const scale = (zoom * 0.5) / readAt;
    const width = Math.round(raw.width * scale);
    const height = Math.round(raw.height * scale);
    const read = await readRgb(join(folder, "images", file), width, height);
    const rgb = options.fluorescent ? read : await asScanned(read, width, height, coarseness);
    const { labels, count } = renumber(resample(raw.labels, raw.width, raw.height, width, height));
    const ignore = options.ignore
      ? resample(
          (await readLabels(join(folder, "ignore", file))).labels,
          raw.width,
          raw.height,
          width,
          height,
        )
      : null;
    yield {
      name: file.replace(/\.png$/, ""),
      width,
      height,
      umPerPx: readAt,
      stains: options.fluorescent ? fluorescencePlanes(firstOf(rgb)) : stainPlanes(rgb),
      labels,
      count,
      ignore: ignore ? Uint8Array.from(ignore, (value) => (value > 0 ? 1 : 0)) : null,
      centers: options.dots
        ? await readDots(join(folder, "dots", file.replace(/png$/, "csv")), scale)
        : null,
    };
  }
}

/** A rendered tissue in nine parts, so that half of them can be used for training and half for evaluation. */
async function* renderedImages(
  folder: string,
  tissue: Pick<TissueOptions, "seed" | "species" | "staining" | "imageDifficulty">,
  coarseness: number,
): AsyncGenerator<LabeledImage> {
  const path = join(folder, "image.tif");
  if (!existsSync(path)) await simulateTissue({ out: folder, ...tissue });
  const image = await openTissueImage(path);
  const { widthPx: width, heightPx: height } = image;
  const whole = { x: 0, y: 0, width, height };
  const stains =
    tissue.staining === "if"
      ? fluorescencePlanes((await image.getChannel(0, whole)).data)
      : stainPlanes(
          await asScanned((await image.getRegion(whole)).data, width, height, coarseness),
        );
  const outlines = {
    offsets: (await readNpy(join(folder, "truth", "nuclei.offsets.npy"))).data as Uint32Array,
    xy: (await readNpy(join(folder, "truth", "nuclei.xy.npy"))).data as Float32Array,
  };
  const labels = rasterize(outlines, width, height);
  const parts = 3;
  const w = Math.floor(width / parts);
  const h = Math.floor(height / parts);
  for (let part = 0; part < parts * parts; part++) {
    const place = { x: (part % parts) * w, y: Math.floor(part / parts) * h, w, h };
    yield {
      name: `${tissue.seed}-${part}`,
      width: w,
      height: h,
      umPerPx: RENDERED_UM_PER_PX,
      stains: {
        signal: cut(stains.signal, width, place),
        planes: stains.planes.map((plane) => cut(plane, width, place)),
        rgb: stains.rgb && cut(stains.rgb, width, place, 3),
      },
      ...renumber(cut(labels, width, place)),
      ignore: null,
      centers: null,
    };
  }
}

/** Crops an image with `samples` values per pixel. */
function cut<T extends Float32Array | Int32Array | Uint8Array>(
  source: T,
  width: number,
  place: { x: number; y: number; w: number; h: number },
  samples = 1,
): T {
  const result = new (source.constructor as new (length: number) => T)(samples * place.w * place.h);
  for (let y = 0; y < place.h; y++) {
    const from = samples * ((place.y + y) * width + place.x);
    result.set(source.subarray(from, from + samples * place.w), samples * y * place.w);
  }
  return result;
}

function stainPlanes(rgb: Uint8Array): StainPlanes {
  const model: StainModel = estimateStains(rgb, [255, 255, 255]);
  return brightfieldPlanes(rgb, model);
}

function fluorescencePlanes(nuclear: Uint8Array | Uint16Array): StainPlanes {
  const values = Float32Array.from(nuclear);
  const sorted = values.slice().sort();
  const low = sorted[Math.floor(0.001 * sorted.length)];
  const high = Math.max(low + 1, sorted[Math.floor(0.999 * sorted.length)]);
  const plane = values.map((value) => Math.max(0, (value - low) / (high - low)));
  const signal = plane.map((value) => Math.sqrt(Math.min(1, value)));
  return { signal, planes: [plane], rgb: null };
}

/** The masks' fluorescence is gray, with three identical color channels. */
function firstOf(rgb: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: rgb.length / 3 }, (_, i) => rgb[3 * i]);
}

async function readRgb(path: string, width: number, height: number): Promise<Uint8Array> {
  const { data, info } = await sharp(path)
    .removeAlpha()
    .toColourspace("srgb")
    .resize(width, height, { fit: "fill" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels === 3) return data;
  return Uint8Array.from({ length: 3 * width * height }, (_, i) => data[Math.floor(i / 3)]);
}

/** An RGB image after shrinking by `coarseness` ≥ 1 and enlarging again. */
async function asScanned(
  rgb: Uint8Array,
  width: number,
  height: number,
  coarseness: number,
): Promise<Uint8Array> {
  if (coarseness === 1) return rgb;
  const options = { fit: "fill" } as const;
  const small = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(Math.round(width / coarseness), Math.round(height / coarseness), options)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: small.info.width, height: small.info.height, channels: 3 } as const;
  const large = await sharp(small.data, { raw })
    .resize(width, height, { ...options, kernel: "linear" })
    .raw()
    .toBuffer();
  return new Uint8Array(large.buffer, large.byteOffset, large.byteLength);
}

async function readLabels(
  path: string,
): Promise<{ labels: Int32Array; width: number; height: number }> {
  const { depth } = await sharp(path).metadata();
  const { data, info } = await sharp(path)
    .toColourspace("grey16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
  // 8-bit values come out stretched to 16 bits.
  const stretch = depth === "uchar" ? 257 : 1;
  const labels = Int32Array.from({ length: info.width * info.height }, (_, i) =>
    Math.round(values[i * info.channels] / stretch),
  );
  return { labels, width: info.width, height: info.height };
}

async function readDots(path: string, scale: number): Promise<number[]> {
  const lines = (await readFile(path, "utf8")).trim().split("\n").slice(1);
  return lines.flatMap((line) => {
    const [y, x] = line.split(",").map(Number);
    return [x * scale, y * scale];
  });
}

function resample(
  labels: Int32Array,
  fromWidth: number,
  fromHeight: number,
  width: number,
  height: number,
): Int32Array {
  return Int32Array.from({ length: width * height }, (_, p) => {
    const x = Math.floor((((p % width) + 0.5) * fromWidth) / width);
    const y = Math.floor(((Math.floor(p / width) + 0.5) * fromHeight) / height);
    return labels[y * fromWidth + x];
  });
}

function renumber(labels: Int32Array): { labels: Int32Array; count: number } {
  const numbers = new Map<number, number>([[0, 0]]);
  const result = labels.map((label) => {
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label)!;
  });
  return { labels: result, count: numbers.size - 1 };
}

function medianArea(labels: Int32Array): number {
  const areas = new Map<number, number>();
  for (const label of labels) if (label > 0) areas.set(label, (areas.get(label) ?? 0) + 1);
  const sorted = [...areas.values()].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? MEDIAN_NUCLEUS_PX;
}

/** Rasterizes outlines in order: where two overlap, the later one wins. */
function rasterize(outlines: Polygons, width: number, height: number): Int32Array {
  const labels = new Int32Array(width * height);
  for (let ring = 0; ring + 1 < outlines.offsets.length; ring++) {
    const from = outlines.offsets[ring];
    const to = outlines.offsets[ring + 1];
    const ys = Array.from({ length: to - from }, (_, i) => outlines.xy[2 * (from + i) + 1]);
    const last = Math.min(height - 1, Math.ceil(Math.max(...ys)));
    for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= last; y++) {
      const line = y + 0.5;
      const crossings: number[] = [];
      for (let p = from, q = to - 1; p < to; q = p++) {
        const yp = outlines.xy[2 * p + 1];
        const yq = outlines.xy[2 * q + 1];
        if (yp > line === yq > line) continue;
        const xp = outlines.xy[2 * p];
        crossings.push(xp + ((line - yp) / (yq - yp)) * (outlines.xy[2 * q] - xp));
      }
      crossings.sort((a, b) => a - b);
      for (let k = 0; k + 1 < crossings.length; k += 2) {
        const end = Math.min(width - 1, Math.floor(crossings[k + 1] - 0.5));
        for (let x = Math.max(0, Math.ceil(crossings[k] - 0.5)); x <= end; x++) {
          labels[y * width + x] = ring + 1;
        }
      }
    }
  }
  return labels;
}
