import type { Scene } from "@stipple/viewer";
import { useMemo } from "react";
import { StageLabels } from "../../stage/group-labels.tsx";
import { useViewerState } from "../../state/viewer-context.tsx";
import type { ViewRegion } from "../region-shape.ts";
import { regionAnchors } from "./region-anchors.ts";

/** Names in the middle of regions that are drawn; they follow the view. */
export function RegionNames({
  scene,
  regions,
}: {
  scene: Scene | null;
  regions: readonly ViewRegion[];
}) {
  const hidden = useViewerState((state) => state.regionWork.hidden);
  const anchors = useMemo(() => regionAnchors(regions, hidden), [regions, hidden]);
  return <StageLabels view="tissue" scene={scene} anchors={anchors} />;
}
