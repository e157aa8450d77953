import type { Scene } from "@stipple/viewer";
import { NoteMarkers } from "../annotations/note-markers.tsx";
import type { ViewRegion } from "../regions/region-shape.ts";
import { useMemo } from "react";
import { StageLabels } from "./group-labels.tsx";
import { useViewerState } from "../state/viewer-context.tsx";
import { regionAnchors } from "../regions/draw/region-anchors.ts";

/** What annotations show over the tissue: names of regions, and notes. */
export function StageMarks({
  scene,
  regions,
}: {
  scene: Scene | null;
  regions: readonly ViewRegion[];
}) {
  return (
    <>
      <RegionNames scene={scene} regions={regions} />
      {scene && <NoteMarkers scene={scene} />}
    </>
  );
}

/** Names in the middle of regions that are drawn; they follow the view. */
function RegionNames({ scene, regions }: { scene: Scene | null; regions: readonly ViewRegion[] }) {
  const hidden = useViewerState((state) => state.regionWork.hidden);
  const anchors = useMemo(() => regionAnchors(regions, hidden), [regions, hidden]);
  return <StageLabels view="tissue" scene={scene} anchors={anchors} />;
}
