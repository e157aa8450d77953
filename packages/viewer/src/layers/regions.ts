import { OutlineLayer } from "../draw/outline-layer.ts";
import type { OutlineMesh } from "../draw/outline-shape.ts";
import { regionColors, regionMesh, type DrawnRegion } from "../draw/region-mesh.ts";
import { REGION_LOOK } from "../draw/region-look.ts";
import { FLAT, type LayerInput } from "./layer-input.ts";

/** Regions in the form OutlineLayer takes. */
interface Outlines {
  mesh: OutlineMesh;
  rgba: Uint8Array;
}

interface Drawing {
  edges: Outlines;
  colored: Outlines;
  excluded: Outlines;
}

const drawings = new WeakMap<readonly DrawnRegion[], Drawing>();

/** The regions that were drawn last: other arrays of the same are drawn alike. */
let latest: readonly DrawnRegion[] = [];

/** Kept with the array of regions. */
function drawingOf(of: readonly DrawnRegion[]): Drawing {
  const known = drawings.get(of) ?? (isSame(of, latest) ? drawings.get(latest) : undefined);
  const drawing = known ?? newDrawing(of);
  drawings.set(of, drawing);
  latest = of;
  return drawing;
}

function isSame(a: readonly DrawnRegion[], b: readonly DrawnRegion[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ shape, color, excluded }, at) => {
      const other = b[at]!;
      return shape === other.shape && color === other.color && excluded === other.excluded;
    })
  );
}

function newDrawing(of: readonly DrawnRegion[]): Drawing {
  const mesh = regionMesh(of);
  const excluded = of.filter((region) => region.excluded);
  return {
    edges: { mesh, rgba: regionColors(of, REGION_LOOK.aroundColor) },
    colored: { mesh, rgba: regionColors(of) },
    excluded: {
      mesh: regionMesh(excluded),
      rgba: regionColors(excluded, REGION_LOOK.excludedColor),
    },
  };
}

/** Regions of the tissue over its cells, under what a tool draws. */
export function regions({ view, regions: drawn }: LayerInput) {
  if (view !== "tissue" || !drawn || drawn.length === 0) return undefined;
  const { edges, colored, excluded } = drawingOf(drawn);
  const layer = (
    id: string,
    data: Outlines,
    look: { lineWidthPx: number; lineOpacity: number; areaOpacity: number },
  ) => new OutlineLayer({ ...data, ...look, id, clip: null, parameters: FLAT });
  return [
    layer("region-excluded", excluded, {
      lineWidthPx: 0,
      lineOpacity: 0,
      areaOpacity: REGION_LOOK.excludedOpacity,
    }),
    layer("region-edges", edges, {
      lineWidthPx: REGION_LOOK.aroundPx,
      lineOpacity: REGION_LOOK.aroundOpacity,
      areaOpacity: 0,
    }),
    layer("region-lines", colored, {
      lineWidthPx: REGION_LOOK.linePx,
      lineOpacity: 1,
      areaOpacity: REGION_LOOK.areaOpacity,
    }),
  ];
}
