import { useMemo, useState } from "react";
import { Legend } from "../coloring/legend.tsx";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { useDrawnRegions } from "../regions/draw/use-drawn-regions.ts";
import { stageTexts } from "./texts.ts";
import { NO_CELLS } from "@stipple/viewer/source";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { SceneContent } from "@stipple/viewer";
import { SpotLegend } from "./spot-legend.tsx";
import { StageRemark } from "./stage-remark.tsx";
import { Stage } from "./stage.tsx";
import { useChannels } from "./use-channels.ts";
import { useOffsets } from "./use-offsets.ts";
import { useExported } from "./use-exported.ts";
import { useSpots } from "./use-spots.ts";

/** The visible views: tissue, UMAP, or both side by side. */
export function Stages({ coloring }: { coloring: CellColoring }) {
  const { manifest, cells } = useViewer();
  const arrangement = useViewerState((state) => state.arrangement);
  const layers = useViewerState((state) => state.layers);
  const swipe = useViewerState((state) => state.swipe);
  const names = useViewerState(shownValueNames);
  const [close, setClose] = useState(false);

  const spots = useSpots();
  const channels = useChannels();
  const drawn = useDrawnRegions();
  const nuclei = useViewerState((state) => state.nucleusWork.drawn);
  const regions = useMemo(
    () => (nuclei.length > 0 ? [...drawn, ...nuclei] : drawn),
    [drawn, nuclei],
  );
  const isClose = close && layers.outlines;
  const hasNuclei = "nuclei.offsets" in manifest.columns;
  const polygonOffsets = useOffsets("polygons.offsets", isClose && manifest.nCells > 0);
  const nucleusOffsets = useOffsets("nuclei.offsets", isClose && layers.nuclei && hasNuclei);

  const content = useMemo(
    (): SceneContent => ({
      cells,
      rgba: coloring.rgba,
      layers,
      spots: spots?.content,
      swipe,
      polygonOffsets,
      nucleusOffsets,
      channels: channels.layers,
      regions,
    }),
    [
      cells,
      coloring.rgba,
      layers,
      spots?.content,
      swipe,
      polygonOffsets,
      nucleusOffsets,
      channels.layers,
      regions,
    ],
  );
  const values = useMemo(
    () => coloring.values.map((ofCells, at) => ({ name: names[at] ?? "", values: ofCells })),
    [coloring.values, names],
  );
  const exported = useExported("tissue", coloring, spots);
  const exportedUmap = useExported("umap", coloring, null);
  const legend = layers.cells && <Legend coloring={coloring} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-md:flex-col">
      {arrangement !== "umap" && (
        <Stage
          view="tissue"
          content={content}
          values={values}
          exported={exported}
          onClose={setClose}
        >
          {channels.loading && <StageRemark>{stageTexts.channelsLoading}</StageRemark>}
          {channels.failed && <StageRemark>{stageTexts.channelsFailed}</StageRemark>}
          {spots && <SpotLegend spots={spots} />}
          {legend}
        </Stage>
      )}
      {arrangement === "both" && (
        <div aria-hidden className="shrink-0 bg-line max-md:h-px md:w-px" />
      )}
      {arrangement !== "tissue" && cells !== NO_CELLS && (
        <Stage view="umap" content={content} values={values} exported={exportedUmap}>
          {arrangement === "umap" && legend}
        </Stage>
      )}
    </div>
  );
}
