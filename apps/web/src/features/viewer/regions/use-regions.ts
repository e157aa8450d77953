import { useMemo } from "react";
import { annotationsOf } from "../annotations/annotation-store.ts";
import { useAnnotations } from "../annotations/use-annotations.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { viewRegion, type ViewRegion } from "./region-shape.ts";

/** The project's regions, by name. */
export function useRegions(): readonly ViewRegion[] {
  const { manifest } = useViewer();
  const items = useAnnotations((state) => state.items);
  return useMemo(
    () =>
      annotationsOf(items, "region")
        .map(({ id, value }) => viewRegion(id, value, manifest))
        .sort((a, b) => a.value.name.localeCompare(b.value.name, "en", { numeric: true })),
    [items, manifest],
  );
}
