import { useEffect, useRef, useState, type RefObject } from "react";
import { useToast } from "../../../../components/toast-store.ts";
import { selectionTexts } from "../texts.ts";
import type { Scene } from "../../stage/scene.ts";
import type { ViewName } from "../../state/shown-state.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { intersection, type Criterion } from "../cell-set.ts";
import { selectCells, shownCells } from "../selection-actions.ts";
import { drawRegions } from "./region-drawing.ts";
import { regionFinder, type RegionFinder } from "./region-finder.ts";
import { RegionOutline } from "./region-outline.tsx";
import { ToolBar } from "./tool-bar.tsx";

const REGION_OF: Record<ViewName, Criterion> = {
  tissue: "place",
  umap: "expression UMAP",
};

/** Lasso and rectangle selection on one view: buttons, outline, and the resulting selection. */
export function SelectionTools({
  view,
  stage,
  scene,
  rgba,
}: {
  view: ViewName;
  /** Receives pointer events. */
  stage: RefObject<HTMLElement | null>;
  scene: RefObject<Scene | null>;
  /** Colors of the cells; those with alpha 0 are not selected. */
  rgba: Uint8Array;
}) {
  const { store } = useViewer();
  const toast = useToast();
  const tool = useViewerState((state) => state.tool);
  const [outline, setOutline] = useState<Float64Array | null>(null);
  const colors = useRef(rgba);
  const finder = useRef<RegionFinder>(null);
  useEffect(() => {
    colors.current = rgba;
  });

  useEffect(() => {
    const element = stage.current;
    if (!element || tool === "pan") return;
    // Start the worker with the tool, so that it has the positions before the first region is drawn.
    const finderOf = () => {
      const positions = scene.current?.positions;
      if (positions && finder.current?.positions !== positions) {
        finder.current?.close();
        finder.current = regionFinder(positions);
      }
      return finder.current;
    };
    finderOf();
    return drawRegions(element, tool, () => groundOf(scene.current), {
      onOutline: setOutline,
      onRegion(ring, combine) {
        finderOf()
          ?.find(ring)
          .then((cells) => {
            const region = { ...cells, chosenBy: [REGION_OF[view]] };
            const shown = shownCells(colors.current, store.getState());
            selectCells(store, intersection(region, shown), combine);
          })
          .catch(() => {
            if (finder.current) toast(selectionTexts.regionFailed, { failed: true });
          });
      },
    });
  }, [tool, stage, scene, store, toast, view]);

  useEffect(
    () => () => {
      const open = finder.current;
      finder.current = null;
      open?.close();
    },
    [view],
  );

  return (
    <>
      {outline && <RegionOutline view={view} ring={outline} scene={scene} />}
      <ToolBar />
    </>
  );
}

function groundOf(scene: Scene | null) {
  return (
    scene && {
      toData: (x: number, y: number) => scene.unproject(x, y),
      panBy: (x: number, y: number) => scene.panBy(x, y),
      zoomBy: (levels: number) => scene.zoomBy(levels),
    }
  );
}
