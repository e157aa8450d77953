/**
 * Processor time of what the interactive view does with 20,000 polygons of 24 corners in 40 regions and with 700,000
 * cells: `node lab/bench/regions.ts`. Prints a row each, the least of three rounds.
 */
import { drawnRegions } from "@stipple/formats/geojson/drawn-regions";
import { polygonArea } from "@stipple/numerics/polygon-area";
import { Random } from "@stipple/numerics/random";
import type { Shape } from "../../packages/viewer/src/geometry/shape.ts";
import { pointGrid } from "../../packages/viewer/src/geometry/point-grid.ts";
import { regionColors, regionMesh } from "../../packages/viewer/src/draw/region-mesh.ts";
import { combinedShapes } from "../../packages/viewer/src/tools/drawing.ts";
import { cellsInShape } from "../../packages/viewer/src/tools/shape-cells.ts";
import { manyPolygons, ringAt } from "./viewer/many-polygons.ts";

const [CELLS, SIDE_PX] = [700_000, 30_000];
const FEWER_CELLS = 160_000;

const least = new Map<string, number>();

function timed<Found>(what: string, work: () => Found): Found {
  const began = process.cpuUsage();
  const found = work();
  const { user, system } = process.cpuUsage(began);
  least.set(what, Math.min(least.get(what) ?? Infinity, (user + system) / 1e6));
  return found;
}

/** Sum of the signed distances of the first cells from a border, px. */
function distances(shape: Shape, cells: number): number {
  const { signedDistance } = polygonArea(shape);
  let sum = 0;
  for (let at = 0; at < 2 * cells; at += 2)
    sum += signedDistance(positions[at]!, positions[at + 1]!);
  return sum;
}

const text = manyPolygons({ polygons: 20_000, corners: 24, classes: 40, sidePx: SIDE_PX });
const random = new Random(1);
const positions = Float32Array.from({ length: 2 * CELLS }, () => SIDE_PX * random.uniform());
for (let round = 0; round < 3; round++) {
  const image = { width: SIDE_PX, height: SIDE_PX };
  const found = timed("20,000 polygons read and checked", () =>
    drawnRegions(text, image, (what) => {
      throw new Error(what);
    }),
  );
  const regions = found.map(({ polygons }) => ({
    ...{ shape: polygons as Shape, color: "#d55e00", excluded: false },
  }));
  const draw = (of: typeof regions) => [regionMesh(of), regionColors(of)];
  timed("their mesh", () => draw(regions));
  const ring = ringAt(SIDE_PX / 2, SIDE_PX / 2, SIDE_PX / 3, 4000);
  const one = { shape: [[Float64Array.from(ring.flat())]], color: "#0072b2", excluded: false };
  timed("the mesh with one more region of 4,000 corners", () => draw([...regions, one]));
  timed("the new region united with 500 of them", () =>
    combinedShapes(regions[0]!.shape, one.shape, "add"),
  );
  const grid = timed("the grid of 700,000 cells, once per page", () => pointGrid(positions));
  const cells = (shape: Shape) => cellsInShape(positions, grid, shape).count;
  timed("cells in the new region", () => cells(one.shape));
  timed("cells in all 20,000 polygons", () => regions.map(({ shape }) => cells(shape)));
  timed("distances of 700,000 cells from the new region", () => distances(one.shape, CELLS));
  const all = regions.flatMap(({ shape }) => shape);
  timed("distances of 160,000 cells from the borders of all 20,000", () =>
    distances(all, FEWER_CELLS),
  );
}
for (const [what, seconds] of least) console.log(`${seconds.toFixed(2)} s  ${what}`);
