import type { Scene } from "@stipple/viewer";
import { Suspense } from "react";
import { lazyPart } from "../../../app/load-code.ts";
import { isNucleusTool } from "../state/nucleus-work.ts";
import { useViewerState } from "../state/viewer-context.tsx";

const NucleusEditing = lazyPart(() => import("./nucleus-editing.tsx"), "NucleusEditing");

/** Editing of nuclei, loaded when used. */
export function StageNuclei({ scene }: { scene: Scene | null }) {
  const isUsed = useViewerState(({ panel, tool }) => panel === "nuclei" || isNucleusTool(tool));
  return <Suspense fallback={null}>{isUsed && <NucleusEditing scene={scene} />}</Suspense>;
}
