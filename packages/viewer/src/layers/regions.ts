import { OutlineLayer } from "../draw/outline-layer.ts";
import { regionMesh, type DrawnRegion, type RegionMesh } from "../draw/region-mesh.ts";
import { REGION_LOOK } from "../draw/region-look.ts";
import { FLAT, type LayerInput } from "./layer-input.ts";

interface Drawing {
  edges: RegionMesh;
  colored: RegionMesh;
  excluded: RegionMesh;
}

const drawings = new WeakMap<readonly DrawnRegion[], Drawing>();

/** Kept with the array of regions. */
function drawingOf(of: readonly DrawnRegion[]): Drawing {
  let drawing = drawings.get(of);
  if (!drawing) {
    drawing = {
      edges: regionMesh(of, REGION_LOOK.aroundColor),
      colored: regionMesh(of),
      excluded: regionMesh(
        of.filter(({ excluded }) => excluded),
        REGION_LOOK.excludedColor,
      ),
    };
    drawings.set(of, drawing);
  }
  return drawing;
}

/** Regions of the tissue over its cells, under what a tool draws. */
export function regions({ view, regions: drawn }: LayerInput) {
  if (view !== "tissue" || !drawn || drawn.length === 0) return undefined;
  const { edges, colored, excluded } = drawingOf(drawn);
  const layer = (
    id: string,
    data: RegionMesh,
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
