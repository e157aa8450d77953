import { joinClasses } from "../../../components/join-classes.ts";
import { Swatch } from "../../../components/swatch.tsx";
import { valueText } from "@stipple/viewer/cells";
import { ValueScale } from "../coloring/value-scale.tsx";
import { stageTexts } from "./texts.ts";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { SpotsShown } from "./use-spots.ts";

/** Maximum number of clusters in the legend; more would cover the tissue. */
const MAX_CLUSTERS = 8;

/** Legend for spot colors. */
export function SpotLegend({ spots }: { spots: SpotsShown }) {
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
            <ValueScale range={spots.ranges[0]!} />
          )}
        </>
      )}
    </div>
  );
}
