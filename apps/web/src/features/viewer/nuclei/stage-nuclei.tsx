import type { Scene } from "@stipple/viewer";
import { lazyPart } from "../../../app/load-code.ts";
import { LazyBoundary } from "../../../components/lazy-boundary.tsx";
import { isNucleusTool } from "../state/nucleus-work.ts";
import { useViewerState } from "../state/viewer-context.tsx";

const NucleusEditing = lazyPart(() => import("./nucleus-editing.tsx"), "NucleusEditing");

/** Editing of nuclei, loaded when used. */
export function StageNuclei({ scene }: { scene: Scene | null }) {
  const isUsed = useViewerState(({ panel, tool }) => panel === "nuclei" || isNucleusTool(tool));
  return (
    isUsed && (
      <LazyBoundary>
        <NucleusEditing scene={scene} />
      </LazyBoundary>
    )
  );
}
