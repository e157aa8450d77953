import type { Scene } from "@stipple/viewer";
import { lazyPart } from "../../../../app/load-code.ts";
import { LazyBoundary } from "../../../../components/lazy-boundary.tsx";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { isRegionTool } from "../../state/region-work.ts";
import { useViewerState } from "../../state/viewer-context.tsx";
import { useRegions } from "../use-regions.ts";

const RegionTools = lazyPart(() => import("./region-tools.tsx"), "RegionTools");
const StageMarks = lazyPart(() => import("../../stage/stage-marks.tsx"), "StageMarks");

/** Names of regions and notes over the tissue, and what draws and measures on it, loaded when used. */
export function StageRegions({ scene }: { scene: Scene | null }) {
  const regions = useRegions();
  const tool = useViewerState((state) => state.tool);
  const isAnnotated = useAnnotations((state) => state.items.size > 0);
  return (
    <>
      {isAnnotated && (
        <LazyBoundary>
          <StageMarks scene={scene} regions={regions} />
        </LazyBoundary>
      )}
      {(isRegionTool(tool) || tool === "ruler") && (
        <LazyBoundary>
          <RegionTools scene={scene} regions={regions} tool={tool} />
        </LazyBoundary>
      )}
    </>
  );
}
