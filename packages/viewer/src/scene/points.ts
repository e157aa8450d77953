import type { ViewName } from "../choices.ts";
import { dotData, type DotData } from "../draw/dot-data.ts";
import { pointGrid, type PointGrid } from "../geometry/point-grid.ts";
import { umapDrawing } from "../geometry/umap-drawing.ts";
import type { Cells } from "../source/cells.ts";

export type ScenePoints = ReturnType<typeof scenePoints>;

/** The cells' places in one view. */
export function scenePoints(view: ViewName) {
  let positions: Float32Array = new Float32Array();
  let built: PointGrid | undefined;
  let dots: { rgba: Uint8Array; data: DotData } | undefined;
  let stopWaiting = (): void => undefined;
  /** Index of the positions, built at the latest when first asked for. O(nCells) then. */
  const grid = (): PointGrid => (built ??= pointGrid(positions));
  return {
    /** x, y of every cell in drawing units. */
    get positions() {
      return positions;
    },
    grid,
    /** The cells as dots; the same object for the same colors. */
    dots(rgba: Uint8Array): DotData {
      if (dots?.rgba !== rgba) dots = { rgba, data: dotData(positions, rgba) };
      return dots.data;
    },
    /** Sets the cells: a scene may be created before they are loaded. */
    take(cells: Cells): void {
      positions = view === "tissue" ? cells.xy : umapDrawing(cells.umap);
      built = dots = undefined;
      stopWaiting();
      stopWaiting = whenIdle(() => void grid());
    },
    close: () => stopWaiting(),
  };
}

/** Runs `work` when the page is idle; the returned function cancels it. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
