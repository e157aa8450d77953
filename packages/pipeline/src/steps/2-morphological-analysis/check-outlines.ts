import { windowMeans } from "@stipple/numerics/area-sums";
import type { Polygons } from "@stipple/numerics/matrices";
import { areasOf, ringOf } from "@stipple/numerics/rings";
import { throwIfCancelled } from "../../errors.ts";
import type { StainModel } from "../../facts.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { readStainPlanes } from "./stain-planes.ts";
import type { WorkingGrid } from "./tile-plan.ts";

/** How far around an outline's middle its nucleus is looked for, µm. */
const REACH_UM = 30;
/** Outlines that are looked at, and how many are too few: their mean may be highest anywhere by chance. */
const [MAX_OUTLINES, MIN_OUTLINES] = [200, 100];
/** The mean is taken over squares with twice this side, µm: about a nucleus. */
const HALF_NUCLEUS_UM = 2;
/**
 * Mean stain, in standard deviations of the stain around an outline, that shows nuclei. On 62 real images it was at least
 * 0.81 in the middle of right outlines, and at most 0.42 anywhere around mirrored ones.
 */
const CLEAR = 0.6;

/** A slide, and the outlines of its nuclei or cells in working px. */
interface OutlinedSlide {
  image: TissueImage;
  stain: StainModel;
  grid: WorkingGrid;
  outlines: Polygons;
}

/**
 * Warning if outlines do not lie on what the image shows, otherwise null. In the mean picture of the nuclear stain around
 * the middles of outlines, nuclei make a spot in the middle. If the picture is strongest farther away than half the size
 * of an outline, most outlines miss their nuclei. Outlines wider than what is looked at are not judged: they are of fibers
 * or fat, whose nuclei lie at the borders. `toFull`: full-resolution pixels per working pixel. Reads at most
 * {@link MAX_OUTLINES} small regions.
 */
export async function misplacedOutlines(
  slide: OutlinedSlide,
  file: string,
  toFull: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { umPerPx } = slide.grid;
  const reach = Math.round(REACH_UM / umPerPx);
  const radius = medianRadius(slide.outlines);
  const mean = 2 * radius > reach ? null : await meanAround(slide, reach, signal);
  if (mean === null) return null;
  const side = 2 * reach + 1;
  const smooth = windowMeans(mean, side, side, Math.round(HALF_NUCLEUS_UM / umPerPx));
  const highest = smooth.reduce((best, value, at) => (value > smooth[best] ? at : best), 0);
  const [dx, dy] = [(highest % side) - reach, Math.floor(highest / side) - reach];
  const distance = Math.hypot(dx, dy);
  if (distance <= radius) return null;
  return smooth[highest] >= CLEAR
    ? `The outlines in ${file} lie beside the nuclei of the image and would fit if moved by (${[dx, dy].map((by) => signed(by * toFull)).join(", ")}) pixels (x, y), which are ${Math.round(distance * umPerPx)} µm: check that they were made on this image, and not on a crop or another stain of it.`
    : `The outlines in ${file} fit the nuclei of the image no better than if they lay elsewhere: check that they were made on this image, not on a crop of it, that neither is mirrored or turned, and that their coordinates have its scale, with x before y.`;
}

/** Mean of the standardized nuclear stain at `reach` px around the outlines' middles; null if too few are that far inside. */
async function meanAround(
  { image, stain, grid, outlines }: OutlinedSlide,
  reach: number,
  signal: AbortSignal,
): Promise<Float64Array | null> {
  const side = 2 * reach + 1;
  const places: { x: number; y: number }[] = [];
  for (let i = 0; i + 1 < outlines.offsets.length; i++) {
    const [x, y] = [0, 1].map((axis) => Math.floor(middle(ringOf(outlines, i), axis)) - reach);
    if (x >= 0 && y >= 0 && x + side <= grid.widthPx && y + side <= grid.heightPx) {
      places.push({ x, y });
    }
  }
  if (places.length < MIN_OUTLINES) return null;
  const mean = new Float64Array(side * side);
  const used = Math.min(places.length, MAX_OUTLINES);
  for (let i = 0; i < used; i++) {
    throwIfCancelled(signal);
    const place = places[Math.floor((i * places.length) / used)];
    const rect = { ...place, width: side, height: side };
    const values = (await readStainPlanes(image, stain, grid, rect, signal)).signal;
    const average = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
    const sd = Math.sqrt(squares / values.length) || 1;
    for (let p = 0; p < mean.length; p++) mean[p] += (values[p] - average) / (sd * used);
  }
  return mean;
}

/** Mean of a ring's corners on one axis. */
function middle(ring: Float32Array, axis: number): number {
  let sum = 0;
  for (let p = axis; p < ring.length; p += 2) sum += ring[p];
  return sum / (ring.length / 2);
}

/** Radius of a disc with the median area of the outlines, px. */
function medianRadius(outlines: Polygons): number {
  const areas = areasOf(outlines).sort();
  return Math.sqrt(areas[areas.length >> 1] / Math.PI);
}

/** "+12", "−3". */
function signed(value: number): string {
  const whole = Math.round(Math.abs(value));
  return whole === 0 ? "0" : `${value < 0 ? "−" : "+"}${whole}`;
}
