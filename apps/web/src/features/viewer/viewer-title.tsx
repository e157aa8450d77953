import { longDate } from "../../app/long-date.ts";
import { OPTION_NAMES } from "../../texts/option-names.ts";
import { viewerTexts } from "../../texts/viewer.ts";
import { VerdictPill } from "../verdict/verdict-bar.tsx";
import { NO_CELLS } from "./data/cells.ts";
import type { OpenedView } from "./data/viewer-source.ts";
import { useViewer } from "./state/viewer-context.tsx";

/** What was analyzed, how, and when: "Visium · H&E · Basic · November 26, 2026". */
export function originText({
  analysis: { platform, staining, analysis_type, resolution },
  analyzed_at,
}: Pick<OpenedView, "analysis" | "analyzed_at">): string {
  return [
    platform,
    staining === "if" ? OPTION_NAMES.if : OPTION_NAMES.hAndE,
    OPTION_NAMES[analysis_type],
    ...(resolution === null ? [] : [`${resolution} µm`]),
    ...(analyzed_at === null ? [] : [longDate(analyzed_at)]),
  ].join(" · ");
}

/** The project, its origin, how many cells are drawn, and how far to trust them. */
export function ViewerTitle({ drawn }: { drawn: number }) {
  const { manifest, cells, projectName, origin, verdict } = useViewer();
  return (
    <div className="min-w-0">
      <p className="truncate text-base font-semibold" title={projectName}>
        {projectName}
      </p>
      <p className="text-xs text-ink-3 max-md:truncate" title={origin}>
        {origin}
      </p>
      <div className="mt-1 flex items-center justify-between gap-3">
        <p aria-live="polite" className="text-[0.8125rem] text-ink-2">
          {cells === NO_CELLS
            ? viewerTexts.loadingCells(manifest.nCells.toLocaleString("en-US"))
            : viewerTexts.cells(drawn, manifest.nCells)}
        </p>
        {verdict && <VerdictPill verdict={verdict} />}
      </div>
    </div>
  );
}
