import {
  areaOfRing,
  areaOfStroke,
  brushTool,
  combinedShapes,
  cornerTool,
  polygonTool,
  rulerTool,
  withoutCrossings,
  type PolygonEvents,
} from "@stipple/viewer/drawing";
import type { Shape } from "@stipple/viewer/geometry";
import { regionTool, type Sketch, type ViewTool } from "@stipple/viewer/tools";
import { keepJson, keptJson } from "../../../../app/kept-json.ts";
import type { RegionChange, RegionTool } from "../../state/region-work.ts";
import type { OpenViewer } from "../../state/viewer-context.tsx";
import { addDrawn, changeRegion } from "../change-regions.ts";
import {
  imageShape,
  keptPolygons,
  viewRegion,
  type RegionValue,
  type ViewRegion,
} from "../region-shape.ts";
import { regionTexts } from "../texts.ts";

/** Corners of a polygon that is not closed yet survive a closed tab. */
const PREFIX = "stipple.polygon";

interface DrawingEnds {
  brushUm: number;
  onSketch(sketch: Sketch | null): void;
  /** The chosen region's value is now what the corner tool shows. */
  onOwn(value: RegionValue): void;
  /** Why nothing came of what was drawn. */
  onProblem(text: string): void;
}

/** The pointer's tool, which changes regions when something was drawn; null if it needs a region to be chosen. */
export function drawingTool(
  viewer: OpenViewer,
  tool: RegionTool | "ruler",
  { brushUm, onSketch, onOwn, onProblem }: DrawingEnds,
): ViewTool | null {
  const draw = (area: () => Shape, how: RegionChange) => {
    try {
      const problem = apply(viewer, onImage(viewer, area()), how);
      if (problem) onProblem(problem);
    } catch (error) {
      console.error(error);
      onProblem(regionTexts.failed);
    }
  };
  const change = () => viewer.store.getState().regionWork.change;
  const { micronsPerPixel, tissue } = viewer.manifest;
  const radius = brushUm / (micronsPerPixel * tissue.scale);
  switch (tool) {
    case "ruler":
      return rulerTool({ onSketch });
    case "polygon":
      return keptPolygonTool(viewer, {
        onSketch,
        onRing: (ring) => draw(() => areaOfRing(ring), change()),
      });
    case "freehand":
      return regionTool("lasso", {
        onOutline: (ring) => onSketch(ring && { paths: [ring], closed: true }),
        onRegion: (ring, combine) => draw(() => areaOfRing(ring), combine ?? change()),
      });
    case "brush":
    case "eraser":
      return brushTool(radius, {
        onSketch,
        onStroke(path, other) {
          const erases = (tool === "eraser") !== other;
          const paints = chosenRegion(viewer) ? "add" : "new";
          draw(() => areaOfStroke(path, radius), erases ? "subtract" : paints);
        },
      });
    case "corners": {
      const region = chosenRegion(viewer);
      if (!region) {
        onProblem(regionTexts.choose);
        return null;
      }
      return cornerTool(region.shape, {
        onSketch,
        onShape(shape) {
          const tidy = onImage(viewer, withoutCrossings(shape));
          if (tidy.length === 0) return onProblem(regionTexts.nothingLeft(region.value.name));
          const value = setShape(viewer, region.id, tidy);
          // Where the border crossed itself or left the image, the corners are others now.
          if (value && isOnImage(viewer, shape) && corners(tidy) === corners(shape)) onOwn(value);
        },
      });
    }
  }
}

/** A polygon tool that goes on from the corners of the last visit. */
function keptPolygonTool(
  { manifest, projectId }: OpenViewer,
  events: Omit<PolygonEvents, "onCorners">,
): ViewTool {
  const { scale } = manifest.tissue;
  return polygonTool(
    {
      ...events,
      onCorners: (corners) =>
        keepUnfinishedPolygon(
          projectId,
          corners.map((value) => value * scale),
        ),
    },
    unfinishedPolygon(projectId).map((value) => value / scale),
  );
}

/** What lies on the image: readers take regions that go far beyond it for those of another image. */
function onImage(viewer: OpenViewer, shape: Shape): Shape {
  return isOnImage(viewer, shape)
    ? shape
    : combinedShapes(shape, imageShape(viewer.manifest), "intersect");
}

function isOnImage({ manifest }: OpenViewer, shape: Shape): boolean {
  const [, , right, , , bottom] = imageShape(manifest)[0]![0]!;
  return shape.every((rings) =>
    rings.every((ring) =>
      ring.every((value, at) => value >= 0 && value <= (at % 2 === 0 ? right! : bottom!)),
    ),
  );
}

function corners(shape: Shape): number {
  return shape.flat().reduce((sum, { length }) => sum + length, 0);
}

function chosenRegion({ annotations, store, manifest }: OpenViewer): ViewRegion | undefined {
  const { chosen } = store.getState().regionWork;
  const item = chosen === null ? undefined : annotations.getState().items.get(chosen);
  return item?.kind === "region" ? viewRegion(item.id, item.value, manifest) : undefined;
}

/** Makes a drawn area a region or a part of one; what is wrong if that can't be. */
function apply(viewer: OpenViewer, area: Shape, how: RegionChange): string | null {
  if (area.length === 0) return regionTexts.noArea;
  if (how === "new") {
    addDrawn(viewer, area);
    return null;
  }
  const region = chosenRegion(viewer);
  if (!region) return regionTexts.choose;
  const shape = combinedShapes(region.shape, area, how);
  if (shape.length === 0) return regionTexts.nothingLeft(region.value.name);
  setShape(viewer, region.id, shape);
  return null;
}

/** The value that the region has now. */
function setShape(
  { annotations, manifest }: OpenViewer,
  id: string,
  shape: Shape,
): RegionValue | undefined {
  changeRegion(annotations, id, { polygons: keptPolygons(shape, manifest) });
  const item = annotations.getState().items.get(id);
  return item?.kind === "region" ? item.value : undefined;
}

/** Takes back the last corner of the unfinished polygon, for a tool that is then restarted. */
export function takeBackCorner({ projectId }: OpenViewer): void {
  keepUnfinishedPolygon(projectId, unfinishedPolygon(projectId).slice(0, -2));
}

const BROWSER = () => localStorage;

/** Full-resolution px: x and y of each corner; none if nothing is kept or storage is blocked. */
function unfinishedPolygon(projectId: string): number[] {
  const kept = keptJson(BROWSER, `${PREFIX}.${projectId}`);
  return Array.isArray(kept) && kept.length % 2 === 0 && kept.every(Number.isFinite) ? kept : [];
}

function keepUnfinishedPolygon(projectId: string, corners: readonly number[]): void {
  keepJson(BROWSER, `${PREFIX}.${projectId}`, corners.length > 0 ? corners : null);
}
