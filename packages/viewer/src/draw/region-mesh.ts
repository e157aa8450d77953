import { earcut } from "@math.gl/polygon";
import { parseColor } from "../cells/cell-colors.ts";
import type { Shape } from "../geometry/shape.ts";
import type { PolygonTile } from "../source/polygon-tiles.ts";
import { meshOf, ringTriangles } from "./outline-mesh.ts";
import { outlineShape, type OutlineMesh } from "./outline-shape.ts";

/** A region as it is drawn, in drawing units. */
export interface DrawnRegion {
  shape: Shape;
  /** #rrggbb */
  color: string;
  /** Left out of the analysis: darker. */
  excluded: boolean;
}

/** The borders and areas of regions. O(corners), and O(corners · log corners) for shapes that were not drawn before. */
export function regionMesh(regions: readonly DrawnRegion[]): OutlineMesh {
  return outlineShape(
    regions.map(({ shape }) => tileOf(shape)),
    1,
  );
}

/** RGBA of the vertices of such a mesh: each region in its color, or all in one. */
export function regionColors(regions: readonly DrawnRegion[], color?: string): Uint8Array {
  const nVertices = regions.map(({ shape }) => tileOf(shape).xy.length);
  const colors = new Uint32Array(nVertices.reduce((sum, some) => sum + some, 0));
  let from = 0;
  regions.forEach((region, r) => {
    const rgba = Uint8Array.of(...parseColor(color ?? region.color), 255);
    colors.fill(new Uint32Array(rgba.buffer)[0]!, from, (from += nVertices[r]!));
  });
  return new Uint8Array(colors.buffer);
}

const tiles = new WeakMap<Shape, PolygonTile>();

/** The rings of a region; kept with its mesh, so that regions next to a new one are not triangulated again. */
function tileOf(shape: Shape): PolygonTile {
  const known = tiles.get(shape);
  if (known) return known;
  const rings = shape.flat();
  const starts = new Uint32Array(rings.length + 1);
  rings.forEach((ring, r) => (starts[r + 1] = starts[r]! + ring.length / 2));
  const xy = new Float32Array(2 * starts.at(-1)!);
  rings.forEach((ring, r) => xy.set(ring, 2 * starts[r]!));
  const tile = { starts, xy, cells: new Uint32Array(rings.length) };
  // The polygon that each outline begins; none for holes.
  const begun = shape.flatMap((polygon) => polygon.map((_, r) => (r === 0 ? polygon.length : 0)));
  meshOf(tile, (outline, ring) => {
    const nRings = begun[ring]!;
    if (nRings === 0) return [];
    if (nRings === 1) return ringTriangles(outline);
    const first = starts[ring]!;
    const holes = Array.from(starts.subarray(ring + 1, ring + nRings), (at) => at - first);
    return earcut(xy.subarray(2 * first, 2 * starts[ring + nRings]!), holes);
  });
  tiles.set(shape, tile);
  return tile;
}
