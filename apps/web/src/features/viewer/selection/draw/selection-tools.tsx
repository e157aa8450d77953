import { useEffect, useRef, useState } from "react";
import type { Scene } from "@stipple/viewer";
import { intersection, type Criterion } from "@stipple/viewer/cells";
import type { ViewName } from "@stipple/viewer/choices";
import { regionFinder, regionTool } from "@stipple/viewer/tools";
import { toast } from "../../../../components/toast-store.ts";
import { useHiddenGroups, useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { Combine } from "../../state/viewer-store.ts";
import { selectCells, shownCells } from "../selection-actions.ts";
import { selectionTexts } from "../texts.ts";
import { SketchLines } from "../../stage/sketch-lines.tsx";
import { ToolBar } from "./tool-bar.tsx";

const REGION_OF: Record<ViewName, Criterion> = {
  tissue: "place",
  umap: "expression UMAP",
};

/** Lasso and rectangle selection on one view: buttons, outline, and the resulting selection. */
export function SelectionTools({
  view,
  scene,
  rgba,
}: {
  view: ViewName;
  scene: Scene | null;
  /** Colors of the cells; those with alpha 0 are not selected. */
  rgba: Uint8Array;
}) {
  const { store } = useViewer();
  const tool = useViewerState((state) => state.tool);
  const [outline, setOutline] = useState<Float64Array | null>(null);
  const hidden = useHiddenGroups();
  const drawn = useRef({ rgba, hidden });
  useEffect(() => {
    drawn.current = { rgba, hidden };
  });

  useEffect(() => {
    if (!scene || (tool !== "lasso" && tool !== "rectangle")) return;
    // Started with the tool, so that it has the positions before the first region is drawn.
    regionFinder(scene.positions);
    const onRegion = (ring: Float64Array, combine: Combine | undefined) => {
      regionFinder(scene.positions)
        .find(ring)
        .then((cells) => {
          const region = { ...cells, chosenBy: [REGION_OF[view]] };
          const shown = shownCells(drawn.current.rgba, drawn.current.hidden);
          selectCells(store, intersection(region, shown), combine);
        })
        .catch(() => toast(selectionTexts.regionFailed, { failed: true }));
    };
    scene.use(regionTool(tool, { onOutline: setOutline, onRegion }));
    return () => scene.use(null);
  }, [tool, scene, store, view]);

  return (
    <>
      {outline && (
        <SketchLines view={view} sketch={{ paths: [outline], closed: true }} scene={scene} />
      )}
      <ToolBar />
    </>
  );
}
