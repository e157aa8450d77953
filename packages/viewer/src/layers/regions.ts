import { OutlineLayer } from "../draw/outline-layer.ts";
import { regionMesh, type DrawnRegion, type RegionMesh } from "../draw/region-mesh.ts";
import { FLAT, type LayerInput } from "./layer-input.ts";

/** The tissue and its cells stay visible inside. */
const AREA_OPACITY = 0.16;
const EXCLUDED_OPACITY = 0.6;
const EXCLUDED_COLOR = "#3c3c3c";
/** CSS px; a light line around a colored one is visible on any tissue. */
const [LINE_PX, AROUND_PX] = [2, 4];

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
      edges: regionMesh(of, "#ffffff"),
      colored: regionMesh(of),
      excluded: regionMesh(
        of.filter(({ excluded }) => excluded),
        EXCLUDED_COLOR,
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
      areaOpacity: EXCLUDED_OPACITY,
    }),
    layer("region-edges", edges, { lineWidthPx: AROUND_PX, lineOpacity: 0.7, areaOpacity: 0 }),
    layer("region-lines", colored, {
      lineWidthPx: LINE_PX,
      lineOpacity: 1,
      areaOpacity: AREA_OPACITY,
    }),
  ];
}
