import { useMemo, useState } from "react";
import { Legend } from "../coloring/legend.tsx";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { useDrawnRegions } from "../regions/draw/use-drawn-regions.ts";
import { stageTexts } from "./texts.ts";
import { NO_CELLS } from "@stipple/viewer/source";
import { useStable } from "../../../app/use-stable.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { SceneContent } from "@stipple/viewer";
import { StageRemark } from "./stage-remark.tsx";
import { Stage } from "./stage.tsx";
import { useChannels } from "./use-channels.ts";
import { useExported } from "./use-exported.ts";
import { useOffsets, useSpots, type SpotsShown } from "./use-spots.ts";
import { joinClasses } from "../../../components/join-classes.ts";
import { Swatch } from "../../../components/swatch.tsx";
import { valueText } from "@stipple/viewer/cells";
import { ValueScale } from "../../../project/view/value-scale.tsx";

/** Maximum number of clusters in the legend; more would cover the tissue. */
const MAX_CLUSTERS = 8;

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

  const content = useStable<SceneContent>({
    cells,
    rgba: coloring.rgba,
    layers,
    spots: spots?.content,
    swipe,
    polygonOffsets,
    nucleusOffsets,
    channels: channels.layers,
    regions,
  });
  const values = useMemo(
    () => coloring.values.map((ofCells, at) => ({ name: names[at] ?? "", values: ofCells })),
    [coloring.values, names],
  );
  const exported = useExported("tissue", coloring, spots);
  const exportedUmap = useExported("umap", coloring, null);
  const legend = layers.cells && <Legend coloring={coloring} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 gap-px bg-line max-wide:portrait:flex-col">
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
      {arrangement !== "tissue" && cells !== NO_CELLS && (
        <Stage view="umap" content={content} values={values} exported={exportedUmap}>
          {arrangement === "umap" && legend}
        </Stage>
      )}
    </div>
  );
}

/** Legend for spot colors. */
function SpotLegend({ spots }: { spots: SpotsShown }) {
  const { manifest } = useViewer();
  const names = useViewerState(shownValueNames);
  const quantiles = useViewerState((state) => state.quantiles);
  const isBins = manifest.binSidePx !== null;
  if (spots.pending) return null;
  return (
    <div
      className={joinClasses(
        "max-w-full rounded-control border border-line bg-card/95 px-3 py-2 text-xs narrow:px-2 short:max-h-14 short:overflow-hidden short:py-1",
        spots.filledBy === "counts" ? "w-56 narrow:w-32" : "max-w-56 narrow:max-w-36",
        "short:w-28",
      )}
    >
      {spots.error ? (
        <p role="status">{stageTexts.spotsFailed}</p>
      ) : spots.filledBy === "clusters" ? (
        <>
          <p className="font-semibold">{stageTexts.spotClusters(isBins)}</p>
          <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5">
            {manifest.spotClusters.slice(0, MAX_CLUSTERS).map(({ name, color }) => (
              <li key={name} className="flex items-center gap-1.5">
                <Swatch color={color} className="size-2.5 rounded-[3px]" />
                {name}
              </li>
            ))}
            {manifest.spotClusters.length > MAX_CLUSTERS && (
              <li className="text-ink-3">
                {stageTexts.moreGroups(manifest.spotClusters.length - MAX_CLUSTERS)}
              </li>
            )}
          </ul>
        </>
      ) : spots.filledBy === null ? (
        <p className="text-ink-2">{stageTexts.spotsUnknown(isBins)}</p>
      ) : (
        <>
          <p className="font-semibold short:truncate">{stageTexts.spotCounts(isBins)}</p>
          {spots.filledBy === "two" ? (
            spots.ranges.map((range, at) => (
              <p key={at} className="flex justify-between gap-2 text-ink-2">
                <span className="truncate">{names[at]}</span>
                <span>
                  {quantiles[1] < 1 ? "≥ " : ""}
                  {valueText(range.high)}
                </span>
              </p>
            ))
          ) : (
            <ValueScale range={spots.ranges[0]!} quantiles={quantiles} />
          )}
        </>
      )}
    </div>
  );
}
