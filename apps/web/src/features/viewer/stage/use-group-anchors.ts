import { useMemo } from "react";
import { NO_CELLS } from "@stipple/viewer/source";
import { groupsOf, isUnknown, shownGroups } from "../state/shown-groups.ts";
import type { ColorBy } from "../state/shown-state.ts";
import { useHiddenGroups, useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { GroupLabel } from "@stipple/viewer/figure";
import { groupAnchors } from "./group-anchors.ts";
import { umapDrawing } from "@stipple/viewer/geometry";

/** What the UMAP names: the groups that color it, and types under expression and measures. */
export function namedBy(colorBy: ColorBy): "type" | "cluster" | "domain" | "own" | null {
  if (colorBy === "cluster" || colorBy === "domain" || colorBy === "own") return colorBy;
  return colorBy === "evidence" || colorBy === "imageQuality" || colorBy === "groups"
    ? null
    : "type";
}

/** Names of the shown groups in the UMAP, in its drawing units, largest group first. */
export function useGroupAnchors(): readonly GroupLabel[] {
  const { manifest, cells } = useViewer();
  const of = useViewerState((state) => namedBy(state.colorBy));
  const wanted = useViewerState(
    ({ layers, arrangement }) => layers.labels && layers.cells && arrangement !== "tissue",
  );
  const edits = useViewerState((state) => state.edits);
  const hidden = useHiddenGroups();
  const column = of && wanted && cells !== NO_CELLS ? cells[of] : undefined;
  const nGroups = of ? groupsOf(manifest, of).length : 0;
  const anchors = useMemo(
    () => (column ? groupAnchors(umapDrawing(cells.umap), column, nGroups) : []),
    [cells, column, nGroups],
  );
  return useMemo(() => {
    if (!of) return [];
    const groups = shownGroups(manifest, of, edits[of]);
    return anchors.flatMap(({ group, x, y }) => {
      const shown = groups[group];
      if (!shown || hidden[of].includes(group) || isUnknown({ name: shown.originalName }))
        return [];
      return [{ name: shown.name, x, y }];
    });
  }, [anchors, of, manifest, edits, hidden]);
}
