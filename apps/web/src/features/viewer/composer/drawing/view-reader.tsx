import type { SceneContent } from "@stipple/viewer";
import type { ViewName } from "@stipple/viewer/choices";
import { useEffect, useMemo } from "react";
import { useColoring, type CellColoring } from "../../coloring/use-coloring.ts";
import type { GroupLabel, LegendPart } from "@stipple/viewer/figure";
import { useDrawnRegions } from "../../regions/draw/use-drawn-regions.ts";
import { measureName } from "../../regions/measures/measure-name.ts";
import { shownClustering } from "../../state/clusterings.ts";
import { useChannels } from "../../stage/use-channels.ts";
import { useExported } from "../../stage/use-exported.ts";
import { useGroupAnchors } from "../../stage/use-group-anchors.ts";
import { useOffsets, useSpots } from "../../stage/use-spots.ts";
import { useStable } from "../../../../app/use-stable.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { composerTexts } from "../texts.ts";

/** All that a view is drawn from. */
export interface ReadView {
  kind: "view";
  content: SceneContent;
  legend: readonly LegendPart[];
  anchors: readonly GroupLabel[];
}

/** Collects what a view is drawn from, as the view itself does, and hands it over once it is complete. */
export function ViewReader({
  of,
  onRead,
  onFailed,
}: {
  of: ViewName;
  onRead: (read: ReadView) => void;
  onFailed: (why: string) => void;
}) {
  const { manifest, cells } = useViewer();
  const coloring = useColoring();
  const layers = useViewerState((state) => state.layers);
  const swipe = useViewerState((state) => state.swipe);
  const spots = useSpots();
  const channels = useChannels();
  const regions = useDrawnRegions();
  const explained = JSON.stringify(useExported(of, coloring, spots).legend);
  const anchors = useGroupAnchors();
  const isTissue = of === "tissue";
  const hasCells = isTissue && layers.cells && layers.outlines && manifest.nCells > 0;
  const hasNuclei = hasCells && layers.nuclei && "nuclei.offsets" in manifest.columns;
  const polygonOffsets = useOffsets("polygons.offsets", hasCells);
  const nucleusOffsets = useOffsets("nuclei.offsets", hasNuclei);
  const hasSpots = isTissue && (layers.spots || swipe !== null) && manifest.nSpots > 0;
  const hasChannels = isTissue && layers.tissue && manifest.channels !== null;

  const isWhole =
    !coloring.pending &&
    (!hasCells || polygonOffsets !== undefined) &&
    (!hasNuclei || nucleusOffsets !== undefined) &&
    (!hasSpots || (spots !== null && !spots.pending)) &&
    (!hasChannels || channels.layers !== undefined);
  const hasFailed = coloring.error !== null || channels.failed || (spots?.error ?? null) !== null;
  const at = channels.layers?.at;
  const gone = useWhatIsGone(coloring);

  const content = useStable<SceneContent>({
    cells,
    rgba: coloring.rgba,
    layers,
    spots: spots?.content,
    swipe,
    polygonOffsets,
    nucleusOffsets,
    // Without the prepared image below them.
    channels: useMemo(() => at && { at, complete: true }, [at]),
    regions,
  });
  const read = useMemo((): ReadView => {
    const legend = JSON.parse(explained) as LegendPart[];
    return { kind: "view", content, legend, anchors };
  }, [content, explained, anchors]);
  useEffect(() => {
    if (hasFailed) onFailed(composerTexts.notLoaded);
    else if (gone !== null) onFailed(gone);
    else if (isWhole) onRead(read);
  }, [gone, hasFailed, isWhole, read, onRead, onFailed]);
  return null;
}

/** What colored the cells and was renamed or removed since, in a sentence; null if all is there. */
function useWhatIsGone({ pending, coloring }: CellColoring): string | null {
  return useViewerState((state) => {
    const { colorBy, clustering, measure, edits } = state;
    if (colorBy === "own" && clustering !== null && !shownClustering(state)) {
      return composerTexts.noClustering;
    }
    const isGone = colorBy === "measure" && !pending && coloring.by === "nothing";
    return isGone ? composerTexts.noMeasure(measureName(measure, edits.type)) : null;
  });
}
