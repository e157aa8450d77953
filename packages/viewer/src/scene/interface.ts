import type { Cells } from "../source/cells.ts";
import type { LayerChoices, Place } from "../choices.ts";
import type { Turn } from "../geometry/turn.ts";
import type { DrawnRegion } from "../draw/region-mesh.ts";
import type { OutlineShape } from "../draw/outline-shape.ts";
import type { SpotContent } from "../draw/spot-drawings.ts";
import type { ChannelLayers } from "../layers/channels.ts";
import type { ViewTool } from "../tools/tool.ts";

/** Everything that is drawn; replaced by a new object (with new arrays) whenever something changes. */
export interface SceneContent {
  cells: Cells;
  /** One color per cell. */
  rgba: Uint8Array;
  layers: LayerChoices;
  /** Undefined if not shown or not loaded yet. */
  spots: SpotContent | undefined;
  /** Spots are shown left of this share of the width, cells right of it; null = both everywhere. */
  swipe: number | null;
  /** The column polygons.offsets; undefined until loaded. */
  polygonOffsets: Uint32Array | undefined;
  /** The column nuclei.offsets; undefined if nuclei are not shown, or until loaded. */
  nucleusOffsets: Uint32Array | undefined;
  /** Fluorescence channels, drawn instead of the tissue's tiles. */
  channels: ChannelLayers | undefined;
  /** Regions drawn on the tissue; the same array is not prepared again. */
  regions?: readonly DrawnRegion[] | undefined;
}

/** Parts loaded incrementally as the view moves. */
export type DrawnPart = "tiles" | "outlines";

export interface SceneEvents {
  /** The view moved or its size changed. `close` = zoomed in enough for individual cell outlines. */
  onView(scene: { umPerPixel: number | null; close: boolean; place: Place }): void;
  /** The cell under the pointer (−1 for none), and the pointer's position on the stage. */
  onHover(cell: number, x: number, y: number): void;
  /** A part of the drawing failed to load, or loads again. */
  onMissing(part: DrawnPart, isMissing: boolean): void;
  /** Drawing is no longer possible: WebGL is unavailable or its context was lost. */
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
  /** Turns the drawing on the screen, which keeps what is in the middle. */
  turn(turn: Turn): void;
  /** Gives the pointer to a tool instead of moving the view; null = back to moving it. */
  use(tool: ViewTool | null): void;
  /** x, y of every cell in drawing units. */
  readonly positions: Float32Array;
  /** Converts a position on the stage, CSS px, to drawing units. */
  unproject(x: number, y: number): [number, number];
  /** The other way round. */
  project(x: number, y: number): [number, number];
  /** Size of the stage in CSS px, and µm per CSS px; null on the UMAP. */
  frame(): { widthPx: number; heightPx: number; umPerPixel: number | null };
  /** What is in view, for screen readers; undefined before anything is shown. O(cells in view). */
  seen(): SeenView | undefined;
  /** Whether everything in view is drawn: tiles, channels, and outlines have loaded. */
  isWhole(): boolean;
  /** The current drawing as an image with `ratio` pixels per CSS px. */
  picture(ratio: number, parts: PictureParts): HTMLCanvasElement;
  /** The cells in view, as drawn; undefined if there are more than `limit`. */
  cellsInView(limit: number): CellsInView | undefined;
  destroy(): void;
}

/** What a picture shows besides the tissue and spots. */
export interface PictureParts {
  cells: boolean;
  regions: boolean;
}

export interface SeenView {
  /** Number of cells not hidden, and how many of them are in view. */
  drawn: number;
  inView: number;
  /** Width of the view; null on the UMAP. */
  widthUm: number | null;
  outlined: boolean;
}

/** Cells in view, as drawn; positions in drawing units, `toScreen` converts to CSS px. */
export interface CellsInView {
  /** Cells in view that are drawn (alpha above 0). */
  cells: Uint32Array;
  /** Of all cells: 4 × nCells. */
  rgba: Uint8Array;
  layers: LayerChoices;
  /** Outlines, if any are available. */
  shape: OutlineShape | undefined;
  /** Radius of cells without an outline, CSS px. */
  radiusPx: number;
  toScreen(x: number, y: number): [number, number];
  widthPx: number;
  heightPx: number;
}
