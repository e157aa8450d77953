import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { Place, ViewName } from "../state/shown-state.ts";
import type { Box } from "./point-grid.ts";
import { fitMargin, fitView, project, unproject, visibleBox, type ViewState } from "./view-fit.ts";

/** A cell is outlined when it is at least this wide on the screen, CSS pixels. */
const OUTLINE_FROM_PX = 14;
const TYPICAL_CELL_UM = 9;

/** CSS pixels. */
export interface StageSize {
  width: number;
  height: number;
}

/** Where a stage looks; everything in units of the drawing and CSS pixels of the stage. */
export interface Camera {
  readonly state: ViewState;
  readonly size: StageSize;
  /** The state that shows everything. */
  fitted(): ViewState;
  /** Takes a new state, kept near the data and within useful zooms. */
  lookAt(next: ViewState): void;
  /** From now on the data reach over `box`. */
  extend(box: Box): void;
  resize(size: StageSize): void;
  /** The part of the data in view. */
  box(): Box;
  toScreen(x: number, y: number): [number, number];
  fromScreen(x: number, y: number): [number, number];
  /** Micrometers that a CSS pixel shows; null on the UMAP. */
  umPerPixel(): number | null;
  /** So near that single cells have an outline. */
  isClose(): boolean;
}

export function camera(
  view: ViewName,
  { micronsPerPixel, tissue }: ViewerManifest,
  firstSize: StageSize,
  firstPlace: Place | null,
): Camera {
  const umPerUnit = micronsPerPixel * tissue.scale;
  let extent: Box = { minX: 0, minY: 0, maxX: tissue.widthPx, maxY: tissue.heightPx };
  let size = firstSize;
  let state: ViewState = firstPlace
    ? { target: [firstPlace.x, firstPlace.y, 0], zoom: firstPlace.zoom }
    : fitted();

  function fitted(): ViewState {
    return fitView(extent, size.width, size.height, fitMargin(size.width));
  }

  /** The largest zoom: a screen pixel shows 0.02 µm of tissue, or the UMAP 64 times its size when fitted. */
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
    lookAt({ target, zoom }) {
      const { minX, minY, maxX, maxY } = extent;
      const base = fitted().zoom;
      state = {
        target: [
          Math.min(maxX, Math.max(minX, target[0])),
          Math.min(maxY, Math.max(minY, target[1])),
          0,
        ],
        zoom: Math.min(closest(base), Math.max(base - 1.5, zoom)),
      };
    },
    extend(box) {
      extent = box;
    },
    resize(next) {
      size = next;
    },
    box: () => visibleBox(state, size.width, size.height),
    toScreen: (x, y) => project(state, size.width, size.height, x, y),
    fromScreen: (x, y) => unproject(state, size.width, size.height, x, y),
    umPerPixel: () => (view === "tissue" ? umPerUnit / 2 ** state.zoom : null),
    isClose: () =>
      view === "tissue" && (TYPICAL_CELL_UM / umPerUnit) * 2 ** state.zoom >= OUTLINE_FROM_PX,
  };
}
