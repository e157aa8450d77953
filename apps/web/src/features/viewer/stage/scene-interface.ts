import type { Cells } from "../data/cells.ts";
import type { LayerChoices, Place } from "../state/shown-state.ts";
import type { OutlineShape } from "./outline-shape.ts";
import type { ChannelLayers } from "./use-channels.ts";

/** Spots or bins; a new object whenever something changes. */
export interface SpotContent {
  /** x, y in px of the largest tissue level. */
  xy: Float32Array;
  /** 4 × nSpots. */
  rgba: Uint8Array;
  /** Nothing is known that could fill them. */
  onlyEdges: boolean;
}

/** Everything that is drawn; a new object (and new arrays) whenever something changes. */
export interface SceneContent {
  cells: Cells;
  /** One color per cell. */
  rgba: Uint8Array;
  layers: LayerChoices;
  /** Undefined when they are not shown, or not loaded yet. */
  spots: SpotContent | undefined;
  /** Left of this share of the width spots, right of it cells; null = both everywhere. */
  swipe: number | null;
  /** The column polygons.offsets; undefined until it is loaded. */
  polygonOffsets: Uint32Array | undefined;
  /** The column nuclei.offsets; undefined when nuclei are not shown, or until it is loaded. */
  nucleusOffsets: Uint32Array | undefined;
  /** Fluorescence channels instead of the tissue's tiles. */
  channels: ChannelLayers | undefined;
}

/** What is loaded piece by piece as the view moves. */
export type DrawnPart = "tiles" | "outlines";

export interface SceneEvents {
  /** The view moved or its size changed. `close` = so near that single cells have an outline. */
  onView(scene: { umPerPixel: number | null; close: boolean; place: Place }): void;
  /** The cell under the pointer and where the pointer is on the stage; −1 for none. */
  onHover(cell: number, x: number, y: number): void;
  /** A part of the drawing could not be loaded, or can be again. */
  onMissing(part: DrawnPart, isMissing: boolean): void;
  /** Nothing can be drawn anymore: WebGL is unavailable or was lost. */
  onLost(): void;
}

export interface Scene {
  show(content: SceneContent): void;
  /** Marks a cell; −1 for none. */
  highlight(cell: number): void;
  zoomBy(levels: number): void;
  /** Moves the view by screen pixels. */
  panBy(x: number, y: number): void;
  goTo(place: Place): void;
  fit(): void;
  /** x, y of every cell in the units of the drawing. */
  readonly positions: Float32Array;
  /** The units of the drawing under a place of the stage, CSS px. */
  unproject(x: number, y: number): [number, number];
  /** Size of the stage in CSS px, and what one of them shows; null on the UMAP. */
  frame(): { widthPx: number; heightPx: number; umPerPixel: number | null };
  /** What is in view, for those who do not see it; undefined before anything is shown. O(cells in view). */
  seen(): SeenView | undefined;
  /** What the stage shows now, as a picture of `ratio` pixels for each CSS px; cells may be left out. */
  picture(ratio: number, withCells: boolean): HTMLCanvasElement;
  /** The cells in view as they are drawn; undefined when there are more than `limit`. */
  cellsInView(limit: number): CellsInView | undefined;
  destroy(): void;
}

export interface SeenView {
  /** Cells that are not switched off, and those of them in view. */
  drawn: number;
  inView: number;
  /** Width of the view; null on the UMAP. */
  widthUm: number | null;
  outlined: boolean;
}

/** Cells of a view by how they are drawn; positions in units of the drawing, `place` leads to CSS px. */
export interface CellsInView {
  /** Drawn, that is with alpha above 0, in view. */
  cells: Uint32Array;
  /** Outlines, where there are any. */
  shape: OutlineShape | undefined;
  /** Radius of the cells that have no outline, CSS px. */
  radiusPx: number;
  toScreen(x: number, y: number): [number, number];
  widthPx: number;
  heightPx: number;
}
