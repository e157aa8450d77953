import { useMemo } from "react";
import { useShallow } from "zustand/shallow";
import { viewerTexts } from "../texts.ts";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { useHiddenGroups, useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { ViewerState } from "../state/viewer-store.ts";
import type { ViewName } from "@stipple/viewer/choices";
import type { ExportedView } from "./export-menu-button.tsx";
import type { SpotsShown } from "./use-spots.ts";
import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { HiddenGroups, ValueRange } from "@stipple/viewer/cells";
import { channelChoices } from "@stipple/viewer/source";
import { scaleEnds, type LegendPart } from "@stipple/viewer/figure";
import { shownGroups } from "../state/shown-groups.ts";
import { stageTexts } from "./texts.ts";

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

/** What a legend explains: the state, and the colors made from it. */
interface Explained extends Pick<
  ViewerState,
  "colorBy" | "layer" | "quantiles" | "edits" | "groups"
> {
  manifest: ViewerManifest;
  hidden: HiddenGroups;
  coloring: CellColoring;
  /** Names of the values that color the cells. */
  names: readonly string[];
}

/** The colors of the cells; at most one part. */
function cellParts(shown: Explained): LegendPart[] {
  const { manifest, colorBy, layer, quantiles, edits, hidden, groups, names } = shown;
  const { coloring, ranges } = shown.coloring;
  if (coloring.by === "group") {
    const { of } = coloring;
    const entries = shownGroups(manifest, of, edits[of]).filter(
      ({ count }, index) => count > 0 && !hidden[of].includes(index),
    );
    return [{ kind: "groups", title: viewerTexts.groupLists[of], entries }];
  }
  if (coloring.by === "sets")
    return [{ kind: "groups", title: viewerTexts.colorings.groups, entries: groups }];
  const [first, second] = ranges;
  const observedOnly = "observedOnly" in coloring && coloring.observedOnly;
  const kind = colorBy === "measure" ? "" : viewerTexts.layers[layer];
  const note = [kind, observedOnly && viewerTexts.grayUnmeasured].filter(Boolean).join(", ");
  if (coloring.by === "two" && first && second) return [twoGenes(shown, note, first, second)];
  if (!first) return [];
  return [{ kind: "scale", title: names[0] ?? "", note, ...scaleEnds(first, quantiles) }];
}

/** The colors of the spots; at most one part. */
function spotParts(shown: Explained, { filledBy, ranges }: SpotsShown): LegendPart[] {
  const { manifest, names, quantiles } = shown;
  const isBins = manifest.binSidePx !== null;
  if (filledBy === "clusters") {
    const entries = manifest.spotClusters.map(({ name, color }) => ({
      name: stageTexts.spotCluster(name),
      color,
    }));
    return [{ kind: "groups", title: stageTexts.spotClusters(isBins), entries }];
  }
  if (filledBy === null) return [];
  const title = stageTexts.spotCounts(isBins);
  const [one, other] = ranges;
  if (filledBy === "two" && one && other) return [twoGenes(shown, title, one, other)];
  if (!one) return [];
  return [{ kind: "scale", title, note: names[0] ?? "", ...scaleEnds(one, quantiles) }];
}

/** The fluorescence channels that are shown. */
function channelParts(manifest: ViewerManifest, chosen: ViewerState["channels"]): LegendPart[] {
  if (!manifest.channels) return [];
  const entries = channelChoices(manifest, chosen)
    .filter(({ visible }) => visible)
    .map(({ name, color }) => ({ name, color }));
  return [{ kind: "groups", title: stageTexts.channels, entries }];
}

function twoGenes(
  { names, quantiles }: Explained,
  note: string,
  first: ValueRange,
  second: ValueRange,
): LegendPart {
  return {
    kind: "two",
    note,
    names: [names[0] ?? "", names[1] ?? ""],
    highs: [scaleEnds(first, quantiles).high, scaleEnds(second, quantiles).high],
  };
}
