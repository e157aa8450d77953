import { useMemo } from "react";
import { shownGroups } from "../state/shown-groups.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { Grouping } from "../state/shown-state.ts";
import { unlike } from "./use-plot-groups.ts";

export interface GroupLook {
  name: string;
  /** #rrggbb */
  color: string;
}

/** Looks up how a group that the analysis named is called and colored on the page. */
export type LookOf = (originalName: string) => GroupLook;

const UNKNOWN_COLOR = "#7b8794";

/** Of the groups of one kind; a name that is none of theirs stays as it is. The same function for the same names and colors. */
export function useGroupLooks(of: Grouping): LookOf {
  const { manifest } = useViewer();
  const edits = useViewerState((state) => state.edits[of]);
  return useMemo(() => {
    const groups = shownGroups(manifest, of, edits);
    const names = unlike(groups.map(({ name }) => name));
    const looks = new Map(
      groups.map(({ originalName, color }, at) => [originalName, { name: names[at]!, color }]),
    );
    return (originalName) =>
      looks.get(originalName) ?? { name: originalName, color: UNKNOWN_COLOR };
  }, [manifest, of, edits]);
}
