import { earcut } from "@math.gl/polygon";
import { parseColor } from "../cells/cell-colors.ts";
import type { Shape } from "../geometry/shape.ts";
import { outlineColors, outlineShape, type OutlineMesh } from "./outline-shape.ts";

/** A region as it is drawn, in drawing units. */
export interface DrawnRegion {
  shape: Shape;
  /** #rrggbb */
  color: string;
  /** Left out of the analysis: darker. */
  excluded: boolean;
}

/** Regions in the form OutlineLayer takes, with the colors of its vertices. */
export interface RegionMesh {
  mesh: OutlineMesh;
  rgba: Uint8Array;
}

/** The borders and areas of regions, each in its color, or all in one. O(corners · log corners). */
export function regionMesh(regions: readonly DrawnRegion[], color?: string): RegionMesh {
  const rings = regions.flatMap(({ shape }) => shape.flat());
  const starts = new Uint32Array(rings.length + 1);
  rings.forEach((ring, r) => (starts[r + 1] = starts[r]! + ring.length / 2));
  const xy = new Float32Array(2 * starts.at(-1)!);
  rings.forEach((ring, r) => xy.set(ring, 2 * starts[r]!));
  const cells = Uint32Array.from(
    regions.flatMap(({ shape }, region) => shape.flat().map(() => region)),
  );
  // Its own areas fill holes.
  const mesh = { ...outlineShape([{ starts, xy, cells }], 1), areas: areasOf(regions) };
  const rgba = Uint8Array.from(
    regions.flatMap((region) => [...parseColor(color ?? region.color), 255]),
  );
  return { mesh, rgba: outlineColors(mesh, rgba) };
}

/** Triangles between outlines and holes; a mesh has two vertices for each corner. */
function areasOf(regions: readonly DrawnRegion[]): Uint32Array {
  const areas: number[] = [];
  let first = 0;
  for (const rings of regions.flatMap(({ shape }) => shape)) {
    const holes: number[] = [];
    let corners = 0;
    for (const ring of rings) {
      if (corners > 0) holes.push(corners);
      corners += ring.length / 2;
    }
    const positions = new Float64Array(2 * corners);
    rings.forEach((ring, r) => positions.set(ring, r === 0 ? 0 : 2 * holes[r - 1]!));
    for (const corner of earcut(positions, holes)) areas.push(2 * (first + corner));
    first += corners;
  }
  return Uint32Array.from(areas);
}
