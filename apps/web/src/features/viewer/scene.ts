import { Deck, OrthographicView } from "@deck.gl/core";
import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { DotData } from "./dot-layer.ts";
import {
  fitMargin,
  outlineData,
  sceneLayers,
  type LayerChoices,
  type OutlineData,
  type PointData,
} from "./scene-layers.ts";
import { pointGrid, type Box, type PointGrid } from "./point-grid.ts";
import { polygonSubset } from "./polygon-subset.ts";
import { fitView, unproject, visibleBox, type ViewState } from "./view-fit.ts";
import type { Cells, ViewerSource } from "./viewer-data.ts";

export type ViewName = "tissue" | "umap";

/** Outlines of all cells, in full-resolution pixels. */
export interface CellPolygons {
  offsets: Uint32Array;
  xy: Float32Array;
}

/** Everything that is drawn; a new object (and new arrays) whenever something changes. */
export interface SceneContent {
  view: ViewName;
  rgba: Uint8Array;
  choices: LayerChoices;
  spots: Float32Array | undefined;
  polygons: CellPolygons | undefined;
}

export interface SceneEvents {
  /** The view moved or its size changed. `close` = so near that single cells have an outline. */
  onView(scene: { umPerPixel: number | null; close: boolean }): void;
  /** The cell under the pointer and where the pointer is on the stage; −1 for none. */
  onHover(cell: number, x: number, y: number): void;
  onTileError(): void;
}

export interface Scene {
  show(content: SceneContent): void;
  zoomBy(levels: number): void;
  /** Moves the view by screen pixels. */
  panBy(x: number, y: number): void;
  fit(): void;
  destroy(): void;
}

/** A cell is outlined when it is at least this wide on the screen, CSS pixels. */
const OUTLINE_FROM_PX = 14;
const TYPICAL_CELL_UM = 9;
/** More cells than this in view are drawn as points, however near. */
const MOST_OUTLINES = 12_000;
const REBUILD_AFTER_MS = 90;
/** The UMAP is drawn this many units wide, whatever its own extent. */
const UMAP_UNITS = 1000;
const HOVER_REACH_PX = 10;

/** Draws a project into `parent` and keeps it drawn. Needs WebGL 2. */
export function createScene(
  parent: HTMLDivElement,
  source: ViewerSource,
  manifest: ViewerManifest,
  cells: Cells,
  events: SceneEvents,
): Scene {
  const umPerUnit = manifest.micronsPerPixel * manifest.tissue.scale;
  const positions = { tissue: cells.xy, umap: umapPositions(cells.umap) };
  const positionColumns = {
    tissue: { value: positions.tissue, size: 2 },
    umap: { value: positions.umap, size: 2 },
  } as const;
  const grids: Partial<Record<ViewName, PointGrid>> = {};
  const gridOf = (view: ViewName) => (grids[view] ??= pointGrid(positions[view]));
  const places: Partial<Record<ViewName, ViewState>> = {};
  let content: SceneContent | undefined;
  let size = { width: parent.clientWidth, height: parent.clientHeight };
  let hovered = -1;
  let outlined: { box: Box; data: OutlineData; rgba: Uint8Array } | undefined;
  let dots: { view: ViewName; rgba: Uint8Array; data: DotData } | undefined;
  let spots: { xy: Float32Array; data: PointData } | undefined;
  let rebuild: ReturnType<typeof setTimeout> | undefined;

  // A place of its own for the canvas, which leaves the page with the scene.
  const host = parent.appendChild(document.createElement("div"));
  host.style.cssText = "position: absolute; inset: 0;";
  const deck = new Deck<OrthographicView>({
    parent: host,
    views: new OrthographicView({ id: "stage", flipY: true }),
    viewState: place(),
    controller: { keyboard: false, doubleClickZoom: true, inertia: 150 },
    _pickable: false,
    layers: [],
    getCursor: ({ isDragging }) => (isDragging ? "grabbing" : "crosshair"),
    onViewStateChange: ({ viewState }) => {
      move({
        target: [viewState.target![0], viewState.target![1], 0],
        zoom: viewState.zoom as number,
      });
    },
    onResize: ({ width, height }) => {
      const untouched = size.width === 0 || size.height === 0;
      size = { width, height };
      if (untouched) delete places[view()];
      move(place());
    },
  });

  function view(): ViewName {
    return content?.view ?? "tissue";
  }

  function extent(): Box {
    if (view() === "umap") return gridOf("umap").bounds;
    return { minX: 0, minY: 0, maxX: manifest.tissue.widthPx, maxY: manifest.tissue.heightPx };
  }

  function fitted(): ViewState {
    return fitView(extent(), size.width, size.height, fitMargin(size.width));
  }

  function place(): ViewState {
    return (places[view()] ??= fitted());
  }

  /** Takes a new view, kept near the data and within useful zooms. */
  function move(next: ViewState): void {
    const { minX, minY, maxX, maxY } = extent();
    const base = fitted().zoom;
    const kept: ViewState = {
      target: [
        Math.min(maxX, Math.max(minX, next.target[0])),
        Math.min(maxY, Math.max(minY, next.target[1])),
        0,
      ],
      zoom: Math.min(closest(base), Math.max(base - 1.5, next.zoom)),
    };
    places[view()] = kept;
    deck.setProps({ viewState: kept });
    // The radius of the points follows the zoom.
    draw();
    tellView();
    scheduleOutlines();
  }

  /** The largest zoom: a screen pixel shows 0.02 µm of tissue, or the UMAP 64 times its size when fitted. */
  function closest(base: number): number {
    return view() === "umap" ? base + 6 : Math.max(base + 3, Math.log2(umPerUnit / 0.02));
  }

  function isClose(): boolean {
    return (
      view() === "tissue" && (TYPICAL_CELL_UM / umPerUnit) * 2 ** place().zoom >= OUTLINE_FROM_PX
    );
  }

  function tellView(): void {
    events.onView({
      umPerPixel: view() === "tissue" ? umPerUnit / 2 ** place().zoom : null,
      close: isClose(),
    });
  }

  function scheduleOutlines(): void {
    clearTimeout(rebuild);
    rebuild = setTimeout(() => {
      if (updateOutlines()) draw();
    }, REBUILD_AFTER_MS);
  }

  /** Collects the outlines in and around the view; whether anything changed. */
  function updateOutlines(): boolean {
    const wanted = content?.polygons && content.choices.outlines && isClose();
    if (!wanted || !content?.polygons) {
      const had = outlined !== undefined;
      outlined = undefined;
      return had;
    }
    const box = visibleBox(place(), size.width, size.height);
    if (outlined && outlined.rgba === content.rgba && contains(outlined.box, box)) return false;
    const marginX = (box.maxX - box.minX) / 4;
    const marginY = (box.maxY - box.minY) / 4;
    const wider = {
      minX: box.minX - marginX,
      minY: box.minY - marginY,
      maxX: box.maxX + marginX,
      maxY: box.maxY + marginY,
    };
    const inside = gridOf("tissue").inside(wider, MOST_OUTLINES);
    if (inside.length > MOST_OUTLINES) {
      outlined = undefined;
      return true;
    }
    const { offsets, xy } = content.polygons;
    const subset = polygonSubset(inside, offsets, xy, 1 / manifest.tissue.scale, content.rgba);
    outlined = { box: wider, data: outlineData(subset), rgba: content.rgba };
    return true;
  }

  function dotData(rgba: Uint8Array): DotData {
    if (dots?.view !== view() || dots.rgba !== rgba) {
      const data: DotData = {
        length: manifest.nCells,
        attributes: {
          getPosition: positionColumns[view()],
          getColor: { value: rgba, size: 4, normalized: true },
        },
      };
      dots = { view: view(), rgba, data };
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
        view: view(),
        positions: positions[view()],
        dots: dotData(content.rgba),
        pxPerUnit: 2 ** place().zoom,
        choices: content.choices,
        spots: spotData(content.spots),
        outlines: outlined?.data,
        hovered,
        hoveredRing: hoveredRing(),
        onTileError: events.onTileError,
      }),
    });
  }

  function hoveredRing(): Float32Array | undefined {
    if (!outlined || !content?.polygons || hovered < 0) return undefined;
    const { offsets, xy } = content.polygons;
    const ring = polygonSubset(
      Uint32Array.of(hovered),
      offsets,
      xy,
      1 / manifest.tissue.scale,
      content.rgba,
    );
    return ring.length === 1 ? ring.xy : undefined;
  }

  function hover(event: PointerEvent): void {
    const bounds = parent.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    const state = place();
    const [dataX, dataY] = unproject(state, size.width, size.height, x, y);
    const reach = Math.max(
      HOVER_REACH_PX / 2 ** state.zoom,
      view() === "tissue" ? 6 / umPerUnit : 0,
    );
    const rgba = content?.rgba;
    const found =
      event.buttons === 0 && rgba && content?.choices.cells
        ? gridOf(view()).nearest(dataX, dataY, reach, (cell) => rgba[4 * cell + 3]! > 0)
        : -1;
    if (found !== hovered) {
      hovered = found;
      draw();
    }
    events.onHover(found, x, y);
  }

  function leave(): void {
    if (hovered >= 0) {
      hovered = -1;
      draw();
    }
    events.onHover(-1, 0, 0);
  }

  parent.addEventListener("pointermove", hover);
  parent.addEventListener("pointerleave", leave);

  return {
    show(next) {
      const switched = content?.view !== next.view;
      content = next;
      if (switched) {
        hovered = -1;
        outlined = undefined;
        move(place());
      }
      updateOutlines();
      draw();
    },
    zoomBy(levels) {
      const { target, zoom } = place();
      move({ target, zoom: zoom + levels });
    },
    panBy(x, y) {
      const { target, zoom } = place();
      const unit = 2 ** zoom;
      move({ target: [target[0] + x / unit, target[1] + y / unit, 0], zoom });
    },
    fit() {
      move(fitted());
    },
    destroy() {
      clearTimeout(rebuild);
      parent.removeEventListener("pointermove", hover);
      parent.removeEventListener("pointerleave", leave);
      deck.finalize();
      host.remove();
    },
  };
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.minX <= inner.minX &&
    outer.minY <= inner.minY &&
    outer.maxX >= inner.maxX &&
    outer.maxY >= inner.maxY
  );
}

/** UMAP positions in drawing units, y downwards as on the screen. */
function umapPositions(umap: Float32Array): Float32Array {
  let low = Infinity;
  let high = -Infinity;
  for (let at = 0; at < umap.length; at += 2) {
    if (umap[at]! < low) low = umap[at]!;
    if (umap[at]! > high) high = umap[at]!;
  }
  const unit = high > low ? UMAP_UNITS / (high - low) : 1;
  return umap.map((value, at) => (at % 2 === 0 ? value * unit : -value * unit));
}
