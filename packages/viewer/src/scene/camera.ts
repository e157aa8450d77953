import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { Place, ViewName } from "../choices.ts";
import type { Box } from "../geometry/point-grid.ts";
import {
  fitMargin,
  fitView,
  project,
  unproject,
  visibleBox,
  type StageSize,
  type TurnedState,
  type ViewState,
} from "../geometry/view-fit.ts";
import { UPRIGHT, type Turn } from "../geometry/turn.ts";

/** Cells are outlined when at least this wide on screen, CSS pixels. */
const OUTLINE_FROM_PX = 14;
const TYPICAL_CELL_UM = 9;

export type Camera = ReturnType<typeof camera>;

/** The part of the drawing a stage shows; everything in drawing units and CSS pixels of the stage. */
export function camera(
  view: ViewName,
  { micronsPerPixel, tissue }: ViewerManifest,
  first: { size: StageSize; place: Place | null; extent?: Box | undefined },
) {
  const umPerUnit = micronsPerPixel * tissue.scale;
  const { place } = first;
  let extent = first.extent ?? { minX: 0, minY: 0, maxX: tissue.widthPx, maxY: tissue.heightPx };
  let { size } = first;
  let turn = UPRIGHT;
  let state: TurnedState = place
    ? { target: [place.x, place.y, 0], zoom: place.zoom, turn }
    : fitted();

  /** The state in which everything fits. */
  function fitted(): TurnedState {
    const margin = fitMargin(size.width);
    return { ...fitView(extent, size.width, size.height, margin, turn), turn };
  }

  /** Maximum zoom: 0.02 µm of tissue per screen pixel, or 64 times the fitted size on the UMAP. */
  function closest(base: number): number {
    return view === "umap" ? base + 6 : Math.max(base + 3, Math.log2(umPerUnit / 0.02));
  }

  return {
    get state() {
      return state;
    },
    get size() {
      return size;
    },
    fitted,
    /** Sets a new state, clamped to stay near the data and within useful zoom levels. */
    lookAt({ target, zoom }: ViewState): void {
      const { minX, minY, maxX, maxY } = extent;
      const base = fitted().zoom;
      state = {
        target: [
          Math.min(maxX, Math.max(minX, target[0])),
          Math.min(maxY, Math.max(minY, target[1])),
          0,
        ],
        zoom: Math.min(closest(base), Math.max(base - 1.5, zoom)),
        turn,
      };
    },
    /** Turns the drawing around the center of the view. */
    turnTo(next: Turn): void {
      turn = next;
    },
    /** Sets the extent of the data to `box`. */
    extend(box: Box): void {
      extent = box;
    },
    resize(next: StageSize): void {
      size = next;
    },
    /** The part of the data in view. */
    box: () => visibleBox(state, size.width, size.height),
    toScreen: (x: number, y: number) => project(state, size.width, size.height, x, y),
    fromScreen: (x: number, y: number) => unproject(state, size.width, size.height, x, y),
    /** Micrometers per CSS pixel; null on the UMAP. */
    umPerPixel: () => (view === "tissue" ? umPerUnit / 2 ** state.zoom : null),
    /** Zoomed in enough for individual cell outlines. */
    isClose: () =>
      view === "tissue" && (TYPICAL_CELL_UM / umPerUnit) * 2 ** state.zoom >= OUTLINE_FROM_PX,
  };
}
