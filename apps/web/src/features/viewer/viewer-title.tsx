import { viewerTexts } from "./texts.ts";
import { VerdictPill } from "../../project/verdict/verdict-bar.tsx";
import { NO_CELLS } from "@stipple/viewer/source";
import { useViewer } from "./state/viewer-context.tsx";

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
