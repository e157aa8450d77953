import { useMemo } from "react";
import { useShallow } from "zustand/shallow";
import { viewerTexts } from "../texts.ts";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { useHiddenGroups, useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { ViewerState } from "../state/viewer-store.ts";
import type { ViewName } from "@stipple/viewer/choices";
import type { ExportedView } from "./export-menu-button.tsx";
import { cellParts, channelParts, spotParts } from "./legend-of.ts";
import type { SpotsShown } from "./use-spots.ts";

/** Title and legend of exported figures, explaining every color shown. */
export function useExported(
  view: ViewName,
  coloring: CellColoring,
  shownSpots: SpotsShown | null,
): ExportedView {
  const spots = view === "tissue" ? shownSpots : null;
  const { manifest, projectName } = useViewer();
  const hidden = useHiddenGroups();
  const state = useViewerState(useShallow(explainedState));
  return useMemo(() => {
    const { names, colorBy, layers, channels } = state;
    const given = { manifest, coloring, hidden, ...state };
    const showsChannels = view === "tissue" && layers.tissue;
    return {
      title: projectName,
      subtitle: names.length > 0 ? names.join(" + ") : viewerTexts.colorings[colorBy],
      legend: [
        ...(layers.cells ? cellParts(given) : []),
        ...(spots && !spots.pending ? spotParts(given, spots) : []),
        ...(showsChannels ? channelParts(manifest, channels) : []),
      ],
    };
  }, [view, coloring, spots, manifest, projectName, hidden, state]);
}

/** What titles and legends depend on. */
function explainedState(state: ViewerState) {
  const { colorBy, layer, quantiles, edits, groups, layers, channels } = state;
  const names = shownValueNames(state);
  return { colorBy, layer, quantiles, edits, groups, layers, channels, names };
}
