import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Legend } from "../coloring/legend.tsx";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { scaled } from "../data/cells.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { SceneContent } from "./scene.ts";
import { Stage } from "./stage.tsx";

/** The views that are shown: tissue, UMAP, or both side by side. */
export function Stages({ coloring }: { coloring: CellColoring }) {
  const { source, manifest, projectId } = useViewer();
  const arrangement = useViewerState((state) => state.arrangement);
  const layers = useViewerState((state) => state.layers);
  const names = useViewerState(shownValueNames);
  const [close, setClose] = useState(false);

  const spots = useQuery({
    queryKey: ["viewer-spots", projectId],
    enabled: layers.spots,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      scaled(
        (await source.column(manifest, "spots.xy", signal)) as Float32Array,
        1 / manifest.tissue.scale,
      ),
  }).data;
  const polygonOffsets = useQuery({
    queryKey: ["viewer-polygon-offsets", projectId],
    enabled: close && layers.outlines && manifest.nCells > 0,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      (await source.column(manifest, "polygons.offsets", signal)) as Uint32Array,
  }).data;

  const content = useMemo(
    (): SceneContent => ({ rgba: coloring.rgba, layers, spots, polygonOffsets }),
    [coloring.rgba, layers, spots, polygonOffsets],
  );
  const values = useMemo(
    () => coloring.values.map((ofCells, at) => ({ name: names[at] ?? "", values: ofCells })),
    [coloring.values, names],
  );
  const legend = <Legend coloring={coloring} />;
  return (
    <div className="flex min-h-0 min-w-0 max-md:flex-col md:col-start-2 md:row-span-2 md:row-start-1">
      {arrangement !== "umap" && (
        <Stage view="tissue" content={content} values={values} onClose={setClose}>
          {legend}
        </Stage>
      )}
      {arrangement === "both" && (
        <div aria-hidden className="shrink-0 bg-line max-md:h-px md:w-px" />
      )}
      {arrangement !== "tissue" && (
        <Stage view="umap" content={content} values={values}>
          {arrangement === "umap" && legend}
        </Stage>
      )}
    </div>
  );
}
