import type { ViewName } from "../choices.ts";
import { dotData, type DotData } from "../draw/dot-data.ts";
import { pointGrid, type PointGrid } from "../geometry/point-grid.ts";
import { umapDrawing } from "../geometry/umap-drawing.ts";
import type { Cells } from "../source/cells.ts";

/** The cells' places in one view. */
export interface ScenePoints {
  /** x, y of every cell in drawing units. */
  readonly positions: Float32Array;
  /** Index of the positions, built at the latest when first asked for. O(nCells) then. */
  grid(): PointGrid;
  /** The cells as dots; the same object for the same colors. */
  dots(rgba: Uint8Array): DotData;
  /** Sets the cells: a scene may be created before they are loaded. */
  take(cells: Cells): void;
  close(): void;
}

export function scenePoints(view: ViewName): ScenePoints {
  let positions: Float32Array = new Float32Array();
  let grid: PointGrid | undefined;
  let dots: { rgba: Uint8Array; data: DotData } | undefined;
  let stopWaiting = (): void => undefined;
  const points: ScenePoints = {
    get positions() {
      return positions;
    },
    grid: () => (grid ??= pointGrid(positions)),
    dots(rgba) {
      if (dots?.rgba !== rgba) dots = { rgba, data: dotData(positions, rgba) };
      return dots.data;
    },
    take(cells) {
      positions = view === "tissue" ? cells.xy : umapDrawing(cells.umap);
      grid = dots = undefined;
      stopWaiting();
      stopWaiting = whenIdle(() => void points.grid());
    },
    close: () => stopWaiting(),
  };
  return points;
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
