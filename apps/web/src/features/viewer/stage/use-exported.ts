import { useMemo } from "react";
import { viewerTexts } from "../texts.ts";
import { stageTexts } from "./texts.ts";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { scaleEnds, type LegendPart } from "../export/legend-parts.ts";
import { shownGroups } from "../state/shown-groups.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { ViewName } from "@stipple/viewer/choices";
import { channelChoices } from "@stipple/viewer/source";
import type { ExportedView } from "./export-menu-button.tsx";
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
  const isBins = manifest.binSidePx !== null;

  return useMemo(() => {
    const legend: LegendPart[] = [];
    const [first, second] = coloring.ranges;
    const observedOnly = "observedOnly" in coloring.coloring && coloring.coloring.observedOnly;
    const kind = colorBy === "measure" ? "" : viewerTexts.layers[layer];
    const note = [kind, observedOnly && viewerTexts.grayUnmeasured].filter(Boolean).join(", ");
    const of = coloring.coloring.by === "group" ? coloring.coloring.of : null;
    if (showsCells && of) {
      const entries = shownGroups(manifest, of, edits[of]).filter(
        ({ count }, index) => count > 0 && !hidden[of].includes(index),
      );
      legend.push({ kind: "groups", title: viewerTexts.groupLists[of], entries });
    } else if (showsCells && coloring.coloring.by === "sets") {
      legend.push({ kind: "groups", title: viewerTexts.colorings.groups, entries: groups });
    } else if (showsCells && coloring.coloring.by === "two" && first && second) {
      legend.push({
        kind: "two",
        note,
        names: [names[0] ?? "", names[1] ?? ""],
        highs: [scaleEnds(first, quantiles).high, scaleEnds(second, quantiles).high],
      });
    } else if (showsCells && first) {
      const title = names[0] ?? "";
      legend.push({ kind: "scale", title, note, ...scaleEnds(first, quantiles) });
    }
    if (spots && !spots.pending) legend.push(...spotParts(spots));
    if (showsChannels && manifest.channels) {
      const choices = channelChoices(manifest, chosen);
      const entries = choices
        .filter(({ visible }) => visible)
        .map(({ name, color }) => ({ name, color }));
      legend.push({ kind: "groups", title: stageTexts.channels, entries });
    }
    return {
      title: projectName,
      subtitle: names.length > 0 ? names.join(" + ") : viewerTexts.colorings[colorBy],
      legend,
    };

    function spotParts({ filledBy, ranges }: SpotsShown): LegendPart[] {
      if (filledBy === "clusters") {
        return [
          {
            kind: "groups",
            title: stageTexts.spotClusters(isBins),
            entries: manifest.spotClusters.map(({ name, color }) => ({
              name: stageTexts.spotCluster(name),
              color,
            })),
          },
        ];
      }
      if (filledBy === null) return [];
      const title = stageTexts.spotCounts(isBins);
      const [one, other] = ranges;
      if (filledBy === "two" && one && other) {
        return [
          {
            kind: "two",
            note: title,
            names: [names[0] ?? "", names[1] ?? ""],
            highs: [scaleEnds(one, quantiles).high, scaleEnds(other, quantiles).high],
          },
        ];
      }
      return one
        ? [{ kind: "scale", title, note: names[0] ?? "", ...scaleEnds(one, quantiles) }]
        : [];
    }
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
    isBins,
  ]);
}
