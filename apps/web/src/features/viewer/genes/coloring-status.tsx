import { errorText } from "../../../app/api.ts";
import { HelpLink } from "../../../components/help-link.tsx";
import { viewerTexts } from "../texts.ts";
import { isOfType } from "../data/counted.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";

/** States what the colors represent, that values are loading, or why there are none. */
export function ColoringStatus({ coloring }: { coloring: CellColoring }) {
  const { manifest } = useViewer();
  const colorBy = useViewerState((state) => state.colorBy);
  const layer = useViewerState((state) => state.layer);
  const measure = useViewerState((state) => state.measure);
  const [range] = coloring.ranges;
  const observedOnly = "observedOnly" in coloring.coloring && coloring.coloring.observedOnly;
  return (
    <p role="status" className="text-[0.8125rem] text-ink-3">
      {coloring.error ? (
        <span className="text-bad">
          {viewerTexts.geneFailed(errorText(coloring.error, viewerTexts.noAnswer))}
        </span>
      ) : coloring.pending ? (
        viewerTexts.geneLoading
      ) : colorBy === "measure" ? (
        observedOnly ? (
          viewerTexts.outsideSpots
        ) : (
          isOfType(measure) && viewerTexts.withoutType
        )
      ) : range ? (
        <>
          {viewerTexts.layerHints[layer]}
          <HelpLink page="glossary" section={layer === "rate" ? "rate" : "counts"} />{" "}
          {(colorBy === "gene" || colorBy === "two") &&
            viewerTexts.expressing(range.expressing, manifest.nCells)}
        </>
      ) : (
        viewerTexts[colorBy === "score" ? "scoreChoose" : "geneChoose"]
      )}
    </p>
  );
}
