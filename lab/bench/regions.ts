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

const [POLYGONS, CORNERS, REGIONS, CELLS, SIDE_PX] = [20_000, 24, 40, 700_000, 30_000];

/** A trefoil around a place, as x, y of each corner. */
function ringAt(x: number, y: number, radius: number, corners: number, turn = 0): number[][] {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners;
    const away = radius * (0.75 + 0.25 * Math.sin(3 * angle + turn));
    return [x + away * Math.cos(angle), y + away * Math.sin(angle)].map(
      (value) => Math.round(100 * value) / 100,
    );
  });
}

function geoJson(): string {
  const perRow = Math.ceil(Math.sqrt(POLYGONS));
  const step = SIDE_PX / (perRow + 1);
  const features = Array.from({ length: POLYGONS }, (_, p) => {
    const [x, y] = [((p % perRow) + 1) * step, (Math.floor(p / perRow) + 1) * step];
    const ring = ringAt(x, y, 0.4 * step, CORNERS, p);
    return {
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [[...ring, ring[0]]] },
      properties: { classification: { name: `Class ${p % REGIONS}` } },
    };
  });
  return JSON.stringify({ type: "FeatureCollection", features });
}

const least = new Map<string, number>();

function timed<Found>(what: string, work: () => Found): Found {
  const began = process.cpuUsage();
  const found = work();
  const { user, system } = process.cpuUsage(began);
  least.set(what, Math.min(least.get(what) ?? Infinity, (user + system) / 1e6));
  return found;
}

const text = geoJson();
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
  timed("distances of 700,000 cells from the new region", () => {
    const { signedDistance } = polygonArea(one.shape);
    let sum = 0;
    for (let at = 0; at < positions.length; at += 2)
      sum += signedDistance(positions[at]!, positions[at + 1]!);
    return sum;
  });
}
for (const [what, seconds] of least) console.log(`${seconds.toFixed(2)} s  ${what}`);
