import { Deck, OrthographicView } from "@deck.gl/core";
import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { Cells } from "../data/cells.ts";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { LayerChoices, Place, ViewName } from "../state/shown-state.ts";
import type { DotData } from "./dot-layer.ts";
import { pointGrid, type Box, type PointGrid } from "./point-grid.ts";
import { polygonSubset } from "./polygon-subset.ts";
import { polygonTiles, type PolygonTile, type PolygonTiles } from "./polygon-tiles.ts";
import {
  fitMargin,
  outlineData,
  sceneLayers,
  type OutlineData,
  type PointData,
} from "./scene-layers.ts";
import { umapDrawing } from "./umap-drawing.ts";
import { fitView, unproject, visibleBox, type ViewState } from "./view-fit.ts";

/** Everything that is drawn; a new object (and new arrays) whenever something changes. */
export interface SceneContent {
  rgba: Uint8Array;
  layers: LayerChoices;
  /** x, y in px of the largest tissue level; undefined until they are loaded. */
  spots: Float32Array | undefined;
  /** The column polygons.offsets; undefined until it is loaded. */
  polygonOffsets: Uint32Array | undefined;
}

export interface SceneEvents {
  /** The view moved or its size changed. `close` = so near that single cells have an outline; `place` null = fitted to the data. */
  onView(scene: { umPerPixel: number | null; close: boolean; place: Place | null }): void;
  /** The cell under the pointer and where the pointer is on the stage; −1 for none. */
  onHover(cell: number, x: number, y: number): void;
  onTileError(): void;
  onOutlineError(): void;
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
  destroy(): void;
}

/** A cell is outlined when it is at least this wide on the screen, CSS pixels. */
const OUTLINE_FROM_PX = 14;
const TYPICAL_CELL_UM = 9;
/** More cells than this in view are drawn as points, however near. */
const MOST_OUTLINES = 12_000;
const REBUILD_AFTER_MS = 90;
const HOVER_REACH_PX = 10;

export interface SceneProject {
  view: ViewName;
  source: ViewerSource;
  manifest: ViewerManifest;
  cells: Cells;
  /** Where the view starts; fitted to the data without one. */
  place: Place | null;
}

/** Draws one view of a project into `parent` and keeps it drawn. Needs WebGL 2. */
export function createScene(
  parent: HTMLDivElement,
  { view, source, manifest, cells, place: firstPlace }: SceneProject,
  events: SceneEvents,
): Scene {
  const umPerUnit = manifest.micronsPerPixel * manifest.tissue.scale;
  const positions = view === "tissue" ? cells.xy : umapDrawing(cells.umap);
  const positionColumn = { value: positions, size: 2 } as const;
  let grid: PointGrid | undefined;
  const gridOf = () => (grid ??= pointGrid(positions));
  const extent: Box =
    view === "tissue"
      ? { minX: 0, minY: 0, maxX: manifest.tissue.widthPx, maxY: manifest.tissue.heightPx }
      : gridOf().bounds;
  let content: SceneContent | undefined;
  let size = { width: parent.clientWidth, height: parent.clientHeight };
  let viewState: ViewState = firstPlace
    ? { target: [firstPlace.x, firstPlace.y, 0], zoom: firstPlace.zoom }
    : fitted();
  let touched = firstPlace !== null;
  let hovered = -1;
  let tiles: PolygonTiles | undefined;
  let outlined:
    { box: Box; tiles: readonly PolygonTile[]; data: OutlineData; rgba: Uint8Array } | undefined;
  let dots: { rgba: Uint8Array; data: DotData } | undefined;
  let spots: { xy: Float32Array; data: PointData } | undefined;
  let rebuild: ReturnType<typeof setTimeout> | undefined;

  // A place of its own for the canvas, which leaves the page with the scene.
  const host = parent.appendChild(document.createElement("div"));
  host.style.cssText = "position: absolute; inset: 0;";
  const deck = new Deck<OrthographicView>({
    parent: host,
    views: new OrthographicView({ id: "stage", flipY: true }),
    viewState,
    controller: { keyboard: false, doubleClickZoom: true, inertia: 150 },
    _pickable: false,
    layers: [],
    getCursor: ({ isDragging }) => (isDragging ? "grabbing" : "crosshair"),
    onViewStateChange: ({ viewState: next }) => {
      touched = true;
      move({ target: [next.target![0], next.target![1], 0], zoom: next.zoom as number });
    },
    onResize: ({ width, height }) => {
      size = { width, height };
      move(touched ? viewState : fitted());
    },
  });

  function fitted(): ViewState {
    return fitView(extent, size.width, size.height, fitMargin(size.width));
  }

  /** Takes a new view, kept near the data and within useful zooms. */
  function move(next: ViewState): void {
    const { minX, minY, maxX, maxY } = extent;
    const base = fitted().zoom;
    viewState = {
      target: [
        Math.min(maxX, Math.max(minX, next.target[0])),
        Math.min(maxY, Math.max(minY, next.target[1])),
        0,
      ],
      zoom: Math.min(closest(base), Math.max(base - 1.5, next.zoom)),
    };
    deck.setProps({ viewState });
    // The radius of the points follows the zoom.
    draw();
    events.onView({
      umPerPixel: view === "tissue" ? umPerUnit / 2 ** viewState.zoom : null,
      close: isClose(),
      place: touched
        ? { x: viewState.target[0], y: viewState.target[1], zoom: viewState.zoom }
        : null,
    });
    scheduleOutlines();
  }

  /** The largest zoom: a screen pixel shows 0.02 µm of tissue, or the UMAP 64 times its size when fitted. */
  function closest(base: number): number {
    return view === "umap" ? base + 6 : Math.max(base + 3, Math.log2(umPerUnit / 0.02));
  }

  function isClose(): boolean {
    return (
      view === "tissue" && (TYPICAL_CELL_UM / umPerUnit) * 2 ** viewState.zoom >= OUTLINE_FROM_PX
    );
  }

  function scheduleOutlines(): void {
    clearTimeout(rebuild);
    rebuild = setTimeout(() => {
      if (updateOutlines()) draw();
    }, REBUILD_AFTER_MS);
  }

  /** Collects the outlines in and around the view; whether anything changed. */
  function updateOutlines(): boolean {
    const had = outlined !== undefined;
    const offsets = content?.polygonOffsets;
    if (!content || !offsets || !content.layers.outlines || !isClose()) {
      outlined = undefined;
      return had;
    }
    tiles ??= polygonTiles(source, manifest, offsets, scheduleOutlines, events.onOutlineError);
    const box = visibleBox(viewState, size.width, size.height);
    if (gridOf().inside(box, MOST_OUTLINES).length > MOST_OUTLINES) {
      outlined = undefined;
      return had;
    }
    const { scale } = manifest.tissue;
    const here = tiles.within(scaledBox(box, scale));
    const same =
      outlined?.rgba === content.rgba &&
      here.length === outlined.tiles.length &&
      here.every((tile) => outlined!.tiles.includes(tile));
    if (same || (here.length === 0 && !had)) return false;
    const subset = polygonSubset(here, 1 / scale, content.rgba);
    outlined = { box, tiles: here, data: outlineData(subset), rgba: content.rgba };
    return true;
  }

  function dotData(rgba: Uint8Array): DotData {
    if (dots?.rgba !== rgba) {
      const data: DotData = {
        length: manifest.nCells,
        attributes: {
          getPosition: positionColumn,
          getColor: { value: rgba, size: 4, normalized: true },
        },
      };
      dots = { rgba, data };
    }
    return dots.data;
  }

  function spotData(xy: Float32Array | undefined): PointData | undefined {
    if (!xy) return undefined;
    if (spots?.xy !== xy)
      spots = {
        xy,
        data: { length: xy.length / 2, attributes: { getPosition: { value: xy, size: 2 } } },
      };
    return spots.data;
  }

  function draw(): void {
    if (!content) return;
    deck.setProps({
      layers: sceneLayers({
        source,
        manifest,
        view,
        positions,
        dots: dotData(content.rgba),
        pxPerUnit: 2 ** viewState.zoom,
        choices: content.layers,
        spots: spotData(content.spots),
        outlines: outlined?.data,
        hovered,
        hoveredRing: hoveredRing(),
        onTileError: events.onTileError,
      }),
    });
  }

  function hoveredRing(): Float32Array | undefined {
    if (!outlined || !content || hovered < 0) return undefined;
    const tile = outlined.tiles.filter(({ cells }) => cells.includes(hovered));
    const ring = polygonSubset(
      tile,
      1 / manifest.tissue.scale,
      content.rgba,
      (cell) => cell === hovered,
    );
    return ring.length === 1 ? ring.xy : undefined;
  }

  function cellAt(x: number, y: number): number {
    const rgba = content?.rgba;
    if (!rgba || !content?.layers.cells) return -1;
    const [dataX, dataY] = unproject(viewState, size.width, size.height, x, y);
    const reach = Math.max(
      HOVER_REACH_PX / 2 ** viewState.zoom,
      view === "tissue" ? 6 / umPerUnit : 0,
    );
    return gridOf().nearest(dataX, dataY, reach, (cell) => rgba[4 * cell + 3]! > 0);
  }

  function hover(event: PointerEvent): void {
    const bounds = parent.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    events.onHover(event.buttons === 0 ? cellAt(x, y) : -1, x, y);
  }

  function leave(): void {
    events.onHover(-1, 0, 0);
  }

  parent.addEventListener("pointermove", hover);
  parent.addEventListener("pointerleave", leave);

  return {
    positions,
    show(next) {
      content = next;
      updateOutlines();
      draw();
    },
    highlight(cell) {
      if (cell === hovered) return;
      hovered = cell;
      draw();
    },
    zoomBy(levels) {
      touched = true;
      move({ ...viewState, zoom: viewState.zoom + levels });
    },
    panBy(x, y) {
      touched = true;
      const { target, zoom } = viewState;
      const unit = 2 ** zoom;
      move({ target: [target[0] + x / unit, target[1] + y / unit, 0], zoom });
    },
    goTo({ x, y, zoom }) {
      const [atX, atY] = viewState.target;
      if (x === atX && y === atY && zoom === viewState.zoom) return;
      touched = true;
      move({ target: [x, y, 0], zoom });
    },
    fit() {
      touched = false;
      move(fitted());
    },
    unproject: (x, y) => unproject(viewState, size.width, size.height, x, y),
    destroy() {
      clearTimeout(rebuild);
      tiles?.close();
      parent.removeEventListener("pointermove", hover);
      parent.removeEventListener("pointerleave", leave);
      deck.finalize();
      host.remove();
    },
  };
}

function scaledBox({ minX, minY, maxX, maxY }: Box, factor: number): Box {
  return {
    minX: minX * factor,
    minY: minY * factor,
    maxX: maxX * factor,
    maxY: maxY * factor,
  };
}
