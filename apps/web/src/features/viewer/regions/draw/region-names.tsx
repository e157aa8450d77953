import type { Scene } from "@stipple/viewer";
import { shapeArea, type Shape } from "@stipple/viewer/geometry";
import { useMemo } from "react";
import { StageLabels } from "../../stage/group-labels.tsx";
import { useViewerState } from "../../state/viewer-context.tsx";
import type { ViewRegion } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";

/** Names in the middle of regions that are drawn; they follow the view. */
export function RegionNames({
  scene,
  regions,
}: {
  scene: Scene | null;
  regions: readonly ViewRegion[];
}) {
  const hidden = useViewerState((state) => state.regionWork.hidden);
  const anchors = useMemo(
    () =>
      regions
        .filter(({ id }) => !hidden.includes(id))
        .map(({ value: { name, excluded }, shape }) => ({
          name: excluded ? regionTexts.excludedName(name) : name,
          ...middleOf(largest(shape)),
        })),
    [regions, hidden],
  );
  return <StageLabels view="tissue" scene={scene} anchors={anchors} />;
}

/** The outline of the largest polygon. */
function largest(shape: Shape): Float64Array {
  const outlines = shape.map(([outline]) => ({ outline: outline!, area: shapeArea([[outline!]]) }));
  return outlines.reduce((a, b) => (b.area > a.area ? b : a)).outline;
}

/** The middle of a ring's bounding box. */
function middleOf(ring: Float64Array): { x: number; y: number } {
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ] as [number[], number[]];
  ring.forEach((value, at) => {
    low[at % 2] = Math.min(low[at % 2]!, value);
    high[at % 2] = Math.max(high[at % 2]!, value);
  });
  return { x: (low[0]! + high[0]!) / 2, y: (low[1]! + high[1]!) / 2 };
}
