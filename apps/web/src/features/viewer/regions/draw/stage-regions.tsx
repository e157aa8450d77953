import type { Scene } from "@stipple/viewer";
import { lazy, Suspense } from "react";
import { loadCode } from "../../../../app/load-code.ts";
import { isRegionTool } from "../../state/region-work.ts";
import { useViewerState } from "../../state/viewer-context.tsx";
import { useRegions } from "../use-regions.ts";

const RegionTools = lazy(async () => ({
  default: (await loadCode(() => import("./region-tools.tsx"))).RegionTools,
}));
const RegionNames = lazy(async () => ({
  default: (await loadCode(() => import("./region-names.tsx"))).RegionNames,
}));

/** Names of regions over the tissue, and what draws and measures on it, loaded when used. */
export function StageRegions({ scene }: { scene: Scene | null }) {
  const regions = useRegions();
  const tool = useViewerState((state) => state.tool);
  return (
    <Suspense fallback={null}>
      {regions.length > 0 && <RegionNames scene={scene} regions={regions} />}
      {(isRegionTool(tool) || tool === "ruler") && (
        <RegionTools scene={scene} regions={regions} tool={tool} />
      )}
    </Suspense>
  );
}
