import { throwIfLeft } from "@stipple/tasks/left-task";
import { pickRows } from "@stipple/numerics/dense";
import { expandLabels } from "@stipple/numerics/distance-transform";
import { release } from "@stipple/numerics/release";
import { simplifyCoverage } from "@stipple/numerics/simplify-coverage";
import { simplifyRing } from "@stipple/numerics/simplify-ring";
import { traceContour } from "@stipple/numerics/trace-contour";
import type { Polygons } from "@stipple/numerics/matrices";
import { packRings } from "../../readers/segmentation/outlines.ts";
import { measureCells } from "./measure-cells.ts";
import type { Nuclei } from "./nuclei.ts";
import type { StainPlanes } from "./stain-planes.ts";
import { GRID_PX, type Tile } from "./tile-plan.ts";
import { tileQuality } from "./tile-quality.ts";

/** Cells whose nucleus centroid lies in the tile's core; positions in working px of the whole grid. */
export interface TileCells {
  count: number;
  centroid: Float32Array;
  nucleusAreaUm2: Float32Array;
  cellAreaUm2: Float32Array;
  /** count × nFeatures. */
  features: Float32Array;
  nucleusOffsets: Uint32Array;
  nucleusXy: Float32Array;
  cellOffsets: Uint32Array;
  cellXy: Float32Array;
  /** Means of the first two planes over each GRID_PX square in the core, row by row within each plane. */
  squares: Float32Array;
  /** QUALITY_PLANES of the same squares, plane by plane; empty if the tile has no tissue. */
  quality: Float32Array;
}

/** Simplification moves a ring by at most this many working pixels. */
const TOLERANCE_PX = 0.6;

/** Grows cells around the nuclei in one tile and measures both. O(pixels). */
export function analyzeTile(
  stains: StainPlanes,
  nuclei: Nuclei,
  tile: Tile,
  options: { maxExpansionUm: number; umPerPx: number },
): TileCells {
  const width = tile.outerWidth;
  const height = tile.outerHeight;
  const { umPerPx } = options;
  const cells =
    nuclei.cells ?? expandLabels(nuclei.labels, width, height, options.maxExpansionUm / umPerPx);
  throwIfLeft();
  const nucleusRings = outlinesOf(nuclei, width, height);
  // Neighboring cells share borders, so simplify them together to keep the outlines from overlapping.
  const cellOutlines = simplifyCoverage(
    packRings(traced(cells, nuclei.labels, width, height, nuclei.count, { meetings: true })),
    TOLERANCE_PX,
  );
  throwIfLeft();
  const isOwn = (x: number, y: number): boolean =>
    x >= tile.coreX &&
    y >= tile.coreY &&
    x < tile.coreX + tile.coreWidth &&
    y < tile.coreY + tile.coreHeight;
  const all = measureCells(
    nuclei.labels,
    cells,
    nuclei.count,
    stains.planes,
    nucleusRings,
    { width, height, umPerPx, originX: tile.outerX, originY: tile.outerY },
    isOwn,
  );
  release(cells);
  const nFeatures = all.features.length / Math.max(1, nuclei.count);
  const own: number[] = [];
  for (let i = 0; i < nuclei.count; i++) {
    if (isOwn(all.centroid[2 * i], all.centroid[2 * i + 1])) own.push(i);
  }
  const nucleusOutlines = placed(packRings(own.map((i) => nucleusRings[i])), tile);
  const ownOutlines = placed(picked(cellOutlines, own), tile);
  return {
    count: own.length,
    centroid: Float32Array.from(own.flatMap((i) => [all.centroid[2 * i], all.centroid[2 * i + 1]])),
    nucleusAreaUm2: Float32Array.from(own, (i) => all.nucleusAreaUm2[i]),
    cellAreaUm2: Float32Array.from(own, (i) => all.cellAreaUm2[i]),
    features: pickRows(all.features, nFeatures, own),
    nucleusOffsets: nucleusOutlines.offsets,
    nucleusXy: nucleusOutlines.xy,
    cellOffsets: ownOutlines.offsets,
    cellXy: ownOutlines.xy,
    squares: squareMeans(stains.planes.slice(0, 2), tile),
    quality: tile.hasTissue ? tileQuality(stains, tile) : new Float32Array(0),
  };
}

/** The outlines of nuclei, in px of their tile. */
export function outlinesOf({ labels, count }: Nuclei, width: number, height: number): number[][] {
  return traced(labels, labels, width, height, count).map((ring) =>
    simplifyRing(ring, TOLERANCE_PX),
  );
}

/** One ring per object, traced starting near the first pixel of its nucleus. */
function traced(
  labels: Int32Array,
  nuclei: Int32Array,
  width: number,
  height: number,
  count: number,
  options: { meetings?: boolean } = {},
): number[][] {
  const start = new Int32Array(count + 1).fill(-1);
  for (let p = 0; p < nuclei.length; p++) {
    const k = nuclei[p];
    if (k === 0 || start[k] >= 0) continue;
    // Go up to the object's border. Objects have no holes, so a contour that starts there is the outer one.
    let q = p;
    while (q >= width && labels[q - width] === k) q -= width;
    start[k] = q;
  }
  return Array.from({ length: count }, (_, i) =>
    traceContour(labels, width, height, i + 1, start[i + 1], options),
  );
}

function picked({ offsets, xy }: Polygons, own: readonly number[]): Polygons {
  const picks = new Uint32Array(own.length + 1);
  own.forEach((i, row) => (picks[row + 1] = picks[row] + offsets[i + 1] - offsets[i]));
  const points = new Float32Array(2 * picks[own.length]);
  own.forEach((i, row) =>
    points.set(xy.subarray(2 * offsets[i], 2 * offsets[i + 1]), 2 * picks[row]),
  );
  return { offsets: picks, xy: points };
}

/** Converts tile pixels to pixels of the whole grid. */
function placed({ offsets, xy }: Polygons, tile: Tile): { offsets: Uint32Array; xy: Float32Array } {
  return {
    offsets,
    xy: xy.map((value, i) => value + (i % 2 === 0 ? tile.outerX : tile.outerY)),
  };
}

function squareMeans(planes: readonly Float32Array[], tile: Tile): Float32Array {
  const columns = Math.ceil(tile.coreWidth / GRID_PX);
  const rows = Math.ceil(tile.coreHeight / GRID_PX);
  const means = new Float32Array(columns * rows * planes.length);
  const dx = tile.coreX - tile.outerX;
  const dy = tile.coreY - tile.outerY;
  planes.forEach((plane, index) => {
    const sums = new Float64Array(columns * rows);
    const counts = new Float64Array(columns * rows);
    for (let y = 0; y < tile.coreHeight; y++) {
      const from = (y + dy) * tile.outerWidth + dx;
      const row = Math.floor(y / GRID_PX) * columns;
      addRow(sums, counts, row, plane.subarray(from, from + tile.coreWidth));
    }
    for (let i = 0; i < sums.length; i++) means[index * sums.length + i] = sums[i] / counts[i];
  });
  return means;
}

/** Adds a row of pixels to its squares, which start at `row`. */
function addRow(sums: Float64Array, counts: Float64Array, row: number, pixels: Float32Array): void {
  for (let x = 0; x < pixels.length; x++) {
    const square = row + Math.floor(x / GRID_PX);
    sums[square] += pixels[x];
    counts[square]++;
  }
}
