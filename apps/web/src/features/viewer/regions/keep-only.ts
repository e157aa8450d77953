import { combinedShapes } from "@stipple/viewer/drawing";
import { uniqueName } from "../state/free-names.ts";
import type { OpenViewer } from "../state/viewer-context.tsx";
import { addRegions, regionValues } from "./change-regions.ts";
import { imageShape, keptPolygons, type ViewRegion } from "./region-shape.ts";
import { regionTexts } from "./texts.ts";

/** Adds an excluded region of all that lies outside a region; false if nothing does. */
export function keepOnly(viewer: OpenViewer, { value, shape }: ViewRegion): boolean {
  const { manifest, annotations } = viewer;
  const outside = combinedShapes(imageShape(manifest), shape, "subtract");
  if (outside.length === 0) return false;
  const names = new Set(regionValues(annotations).map(({ name }) => name));
  addRegions(viewer, [
    {
      name: uniqueName(regionTexts.outside(value.name), names),
      class: null,
      color: OUTSIDE_COLOR,
      polygons: keptPolygons(outside, manifest),
      excluded: true,
    },
  ]);
  return true;
}

const OUTSIDE_COLOR = "#777777";
