import type { Scene } from "@stipple/viewer";
import { NoteMarkers } from "../annotations/note-markers.tsx";
import { RegionNames } from "../regions/draw/region-names.tsx";
import type { ViewRegion } from "../regions/region-shape.ts";

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
