import { markupText } from "@stipple/contract/markup";
import type { DrawnRegion } from "../draw/region-mesh.ts";
import { REGION_LOOK } from "../draw/region-look.ts";
import { ringPath } from "../geometry/ring-path.ts";

/**
 * Regions as SVG elements in CSS px, each a group with its name as the title. `toScreen` converts drawing units. O(corners).
 */
export function regionsSvg(
  regions: readonly (DrawnRegion & { name: string })[],
  toScreen: (x: number, y: number) => [number, number],
): string {
  const { linePx, aroundPx, aroundColor, aroundOpacity, areaOpacity } = REGION_LOOK;
  return regions
    .map(({ name, shape, color, excluded }) => {
      const rings = shape.flat().map((ring) => ringPath(ring, toScreen));
      const path = `fill-rule="evenodd" stroke-linejoin="round" d="${rings.join("")}"`;
      const dark = `<path fill="${REGION_LOOK.excludedColor}" fill-opacity="${REGION_LOOK.excludedOpacity}" ${path}/>`;
      return [
        `<g><title>${markupText(name)}</title>`,
        excluded ? dark : "",
        `<path fill="none" stroke="${aroundColor}" stroke-opacity="${aroundOpacity}" stroke-width="${aroundPx}" ${path}/>`,
        `<path fill="${color}" fill-opacity="${areaOpacity}" stroke="${color}" stroke-width="${linePx}" ${path}/></g>`,
      ].join("");
    })
    .join("");
}
