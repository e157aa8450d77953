import { useMemo } from "react";
import { shownGroups } from "../state/shown-groups.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { Grouping } from "@stipple/viewer/choices";
import { uniqueNames } from "./use-plot-groups.ts";

export interface GroupLook {
  name: string;
  /** #rrggbb */
  color: string;
}

/** Maps a group's name in the analysis to its name and color on the page. */
export type LookOf = (originalName: string) => GroupLook;

const UNKNOWN_COLOR = "#7b8794";

/**
 * For the groups of one kind; unknown names are kept as is. Returns the same function for the same names and colors.
 */
export function useGroupLooks(of: Grouping): LookOf {
  const { manifest } = useViewer();
  const edits = useViewerState((state) => state.edits[of]);
  return useMemo(() => {
    const groups = shownGroups(manifest, of, edits);
    const names = uniqueNames(groups.map(({ name }) => name));
    const looks = new Map(
      groups.map(({ originalName, color }, at) => [originalName, { name: names[at]!, color }]),
    );
    return (originalName) =>
      looks.get(originalName) ?? { name: originalName, color: UNKNOWN_COLOR };
  }, [manifest, of, edits]);
}
