import { useMemo } from "react";
import { viewerTexts } from "../texts.ts";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
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
  const colorBy = useViewerState((state) => state.colorBy);
  const layer = useViewerState((state) => state.layer);
  const quantiles = useViewerState((state) => state.quantiles);
  const edits = useViewerState((state) => state.edits);
  const hidden = useViewerState((state) => state.hidden);
  const names = useViewerState(shownValueNames);
  const groups = useViewerState((state) => state.groups);
  const showsCells = useViewerState((state) => state.layers.cells);
  const chosen = useViewerState((state) => state.channels);
  const showsChannels = useViewerState((state) => view === "tissue" && state.layers.tissue);

  return useMemo(() => {
    const given = { manifest, coloring, colorBy, layer, quantiles, edits, hidden, groups, names };
    return {
      title: projectName,
      subtitle: names.length > 0 ? names.join(" + ") : viewerTexts.colorings[colorBy],
      legend: [
        ...(showsCells ? cellParts(given) : []),
        ...(spots && !spots.pending ? spotParts(given, spots) : []),
        ...(showsChannels ? channelParts(manifest, chosen) : []),
      ],
    };
  }, [
    coloring,
    spots,
    manifest,
    projectName,
    colorBy,
    layer,
    quantiles,
    edits,
    hidden,
    groups,
    names,
    showsCells,
    chosen,
    showsChannels,
  ]);
}
