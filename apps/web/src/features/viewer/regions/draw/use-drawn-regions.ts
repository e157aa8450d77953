import type { DrawnRegion } from "@stipple/viewer";
import { useMemo } from "react";
import { useViewerState } from "../../state/viewer-context.tsx";
import { useRegions } from "../use-regions.ts";

/** The regions to draw on the tissue; the same array for the same regions. */
export function useDrawnRegions(): readonly DrawnRegion[] {
  const regions = useRegions();
  const hidden = useViewerState((state) => state.regionWork.hidden);
  return useMemo(
    () =>
      regions
        .filter(({ id }) => !hidden.includes(id))
        .map(({ shape, value: { color, excluded } }) => ({ shape, color, excluded })),
    [regions, hidden],
  );
}
