import type { Scene } from "@stipple/viewer";
import type { ViewRegion } from "../regions/region-shape.ts";
import { useMemo } from "react";
import { StageLabels } from "./group-labels.tsx";
import { useViewerState, useViewer } from "../state/viewer-context.tsx";
import { regionAnchors } from "../regions/draw/region-anchors.ts";
import { Popover } from "@base-ui/react/popover";
import { StickyNote } from "lucide-react";
import { annotationsOf } from "../annotations/annotation-store.ts";
import { annotationTexts } from "../annotations/texts.ts";
import { useAnnotations } from "../annotations/use-annotations.ts";

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

/** A marker for each note in view, which opens its text; they follow the view. */
function NoteMarkers({ scene }: { scene: Scene }) {
  const items = useAnnotations((state) => state.items);
  const isPanning = useViewerState((state) => state.tool === "pan");
  const { scale } = useViewer().manifest.tissue;
  // Render again whenever the view moves.
  useViewerState((state) => state.places.tissue);
  // A marker would be in the way of drawing.
  if (!isPanning) return null;
  const { widthPx, heightPx } = scene.frame();
  return annotationsOf(items, "note").map(({ id, value }) => {
    const [x, y] = scene.project(value.x / scale, value.y / scale);
    const isInView = x >= 0 && y >= 0 && x <= widthPx && y <= heightPx;
    return isInView && <NoteMarker key={id} text={value.text} x={x} y={y} />;
  });
}

function NoteMarker({ text, x, y }: { text: string; x: number; y: number }) {
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={annotationTexts.notes.marker(text)}
        style={{ left: x, top: y }}
        className="absolute z-[5] grid size-7 -translate-1/2 place-items-center rounded-full border border-line bg-card text-ink shadow-md"
      >
        <StickyNote aria-hidden className="size-4" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} collisionPadding={8} className="z-40">
          <Popover.Popup
            aria-label={annotationTexts.notes.title}
            className="max-h-60 max-w-72 overflow-auto rounded-card border border-line bg-card p-3 text-sm break-words whitespace-pre-line shadow-lg"
          >
            {text}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
