import { throwIfLeft } from "@stipple/tasks/left-task";
import { pickRows } from "@stipple/numerics/dense";
import { expandLabels } from "@stipple/numerics/distance-transform";
import { release } from "@stipple/numerics/release";
import { packRings, pickRings } from "@stipple/numerics/rings";
import { simplifyCoverage } from "@stipple/numerics/simplify-coverage";
import { simplifyRing } from "@stipple/numerics/simplify-ring";
import { traceContour } from "@stipple/numerics/trace-contour";
import type { Polygons } from "@stipple/numerics/matrices";
import { measureCells } from "./measure-cells.ts";
import type { Nuclei } from "./nuclei.ts";
import type { StainPlanes } from "./stain-planes.ts";
import { GRID_PX, type Tile, type WorkingRect } from "./tile-plan.ts";
import { tileQuality } from "./tile-quality.ts";

/** Cells whose nucleus centroid lies in the tile's core; positions in working px of the whole grid. */
export interface TileCells {
  count: number;
  centroid: Float32Array;
  nucleusAreaUm2: Float32Array;
  cellAreaUm2: Float32Array;
  /** count × nFeatures. */
  features: Float32Array;
  nuclei: Polygons;
  cells: Polygons;
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
  const { core, outer } = tile;
  const { width, height } = outer;
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
    x >= core.x && y >= core.y && x < core.x + core.width && y < core.y + core.height;
  const all = measureCells(
    nuclei.labels,
    cells,
    nuclei.count,
    stains.planes,
    nucleusRings,
    { width, height, umPerPx, originX: outer.x, originY: outer.y },
    isOwn,
  );
  release(cells);
  const nFeatures = all.features.length / Math.max(1, nuclei.count);
  const own: number[] = [];
  for (let i = 0; i < nuclei.count; i++) {
    if (isOwn(all.centroid[2 * i], all.centroid[2 * i + 1])) own.push(i);
  }
  return {
    count: own.length,
    centroid: Float32Array.from(own.flatMap((i) => [all.centroid[2 * i], all.centroid[2 * i + 1]])),
    nucleusAreaUm2: Float32Array.from(own, (i) => all.nucleusAreaUm2[i]),
    cellAreaUm2: Float32Array.from(own, (i) => all.cellAreaUm2[i]),
    features: pickRows(all.features, nFeatures, own),
    nuclei: placed(packRings(own.map((i) => nucleusRings[i])), outer),
    cells: placed(pickRings(cellOutlines, own), outer),
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

/** Converts pixels of a rectangle to pixels of the whole grid. */
function placed({ offsets, xy }: Polygons, { x, y }: WorkingRect): Polygons {
  return { offsets, xy: xy.map((value, i) => value + (i % 2 === 0 ? x : y)) };
}

function squareMeans(planes: readonly Float32Array[], { core, outer }: Tile): Float32Array {
  const columns = Math.ceil(core.width / GRID_PX);
  const rows = Math.ceil(core.height / GRID_PX);
  const means = new Float32Array(columns * rows * planes.length);
  const dx = core.x - outer.x;
  const dy = core.y - outer.y;
  planes.forEach((plane, index) => {
    const sums = new Float64Array(columns * rows);
    const counts = new Float64Array(columns * rows);
    for (let y = 0; y < core.height; y++) {
      const from = (y + dy) * outer.width + dx;
      const row = Math.floor(y / GRID_PX) * columns;
      addRow(sums, counts, row, plane.subarray(from, from + core.width));
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
