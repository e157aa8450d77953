import { Deck, OrthographicView } from "@deck.gl/core";
import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { Cells } from "../data/cells.ts";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { Place, ViewName } from "../state/shown-state.ts";
import type { DotData } from "./dot-layer.ts";
import { graphics } from "./graphics.ts";
import { hoverMark } from "./hover-mark.ts";
import { contains, dotData, MOST_OUTLINES, nearCells, type NearCells } from "./near-cells.ts";
import { isInside, outlineOf, type OutlineShape } from "./outline-shape.ts";
import { pointGrid, type Box } from "./point-grid.ts";
import type { Scene, SceneContent, SceneEvents } from "./scene-interface.ts";
import { fitMargin, isOfCells, pointSize, sceneLayers } from "./scene-layers.ts";
import { spotDrawings } from "./spot-drawings.ts";
import { umapDrawing } from "./umap-drawing.ts";
import { fitView, project, unproject, visibleBox, type ViewState } from "./view-fit.ts";

export type {
  CellsInView,
  Scene,
  SceneContent,
  SceneEvents,
  SeenView,
  SpotContent,
} from "./scene-interface.ts";

/** A cell is outlined when it is at least this wide on the screen, CSS pixels. */
const OUTLINE_FROM_PX = 14;
const TYPICAL_CELL_UM = 9;
/** A cell under the pointer has its middle within this distance. */
const LARGEST_CELL_UM = 25;
const HOVER_REACH_PX = 10;

export interface SceneProject {
  view: ViewName;
  source: ViewerSource;
  manifest: ViewerManifest;
  /** Where the view starts; fitted to the data without one. */
  place: Place | null;
}

/** Draws one view of a project into `parent` and keeps it drawn. Needs WebGL 2. */
export function createScene(
  parent: HTMLDivElement,
  { view, source, manifest, place: firstPlace }: SceneProject,
  events: SceneEvents,
): Scene {
  const umPerUnit = manifest.micronsPerPixel * manifest.tissue.scale;
  let positions: Float32Array = new Float32Array();
  let gridOf = once(() => pointGrid(positions));
  let extent: Box = {
    minX: 0,
    minY: 0,
    maxX: manifest.tissue.widthPx,
    maxY: manifest.tissue.heightPx,
  };
  let content: SceneContent | undefined;
  let size = { width: parent.clientWidth, height: parent.clientHeight };
  let viewState: ViewState = firstPlace
    ? { target: [firstPlace.x, firstPlace.y, 0], zoom: firstPlace.zoom }
    : fitted();
  let touched = firstPlace !== null;
  let hovered = -1;
  let near: NearCells | undefined;
  let outlined: OutlineShape | undefined;
  let dots: { rgba: Uint8Array; data: DotData } | undefined;
  let gone = false;
  const spots = spotDrawings(manifest);

  // A place of its own for the canvas, which leaves the page with the scene.
  const host = parent.appendChild(document.createElement("div"));
  host.style.cssText = "position: absolute; inset: 0;";
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const drawnBy = graphics();
  const deck = new Deck<OrthographicView>({
    parent: host,
    // Layers smooth their own edges; four samples a pixel would only make a processor slower. Pictures are read at once.
    deviceProps: { webgl: { antialias: drawnBy === "card", preserveDrawingBuffer: false } },
    views: new OrthographicView({ id: "stage", flipY: true }),
    viewState,
    controller: { keyboard: false, doubleClickZoom: true, inertia: calm ? false : 150 },
    _pickable: false,
    layers: [],
    getCursor: ({ isDragging }) => (isDragging ? "grabbing" : "crosshair"),
    onError: (error, layer) => {
      console.error(error);
      if (!layer && !gone) events.onLost();
    },
    onViewStateChange: ({ viewState: next }) => {
      touched = true;
      move({ target: [next.target![0], next.target![1], 0], zoom: next.zoom as number });
    },
    onResize: ({ width, height }) => {
      size = { width, height };
      move(touched ? viewState : fitted());
    },
  });
  const mark = hoverMark(host);
  let idle = (): void => undefined;

  function fitted(): ViewState {
    return fitView(extent, size.width, size.height, fitMargin(size.width));
  }

  /** Takes other cells: a scene may be made before they are loaded. */
  function take(cells: Cells): void {
    positions = view === "tissue" ? cells.xy : umapDrawing(cells.umap);
    gridOf = once(() => pointGrid(positions));
    near?.close();
    near = undefined;
    dots = undefined;
    idle();
    idle = whenIdle(() => void gridOf());
    if (view !== "umap") return;
    extent = gridOf().bounds;
    move(touched ? viewState : fitted());
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
    draw();
    drawMark();
    events.onView({
      umPerPixel: umPerPixel(),
      close: isClose(),
      place: { x: viewState.target[0], y: viewState.target[1], zoom: viewState.zoom },
    });
  }

  function umPerPixel(): number | null {
    return view === "tissue" ? umPerUnit / 2 ** viewState.zoom : null;
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

  function boxInView(): Box {
    return visibleBox(viewState, size.width, size.height);
  }

  /** Cells as outlines where the view is near enough. */
  function nearDrawing({ rgba, layers, polygonOffsets }: SceneContent) {
    if (!polygonOffsets || !layers.outlines || !layers.cells || !isClose()) return undefined;
    const again = () => {
      draw();
      drawMark();
    };
    near ??= nearCells(
      source,
      manifest,
      positions,
      gridOf(),
      polygonOffsets,
      again,
      events.onOutlineError,
    );
    return near.look(boxInView(), rgba);
  }

  function dotsNow(rgba: Uint8Array): DotData {
    if (dots?.rgba !== rgba) dots = { rgba, data: dotData(positions, rgba) };
    return dots.data;
  }

  function draw(): void {
    if (!content || gone) return;
    const drawing = nearDrawing(content);
    outlined = drawing?.outlines?.mesh;
    deck.setProps({
      layers: sceneLayers({
        source,
        manifest,
        view,
        graphics: drawnBy,
        dots: dotsNow(content.rgba),
        choices: content.layers,
        spots: content.spots && spots(content.spots, boxInView(), 2 ** viewState.zoom),
        near: drawing,
        swipe: content.swipe,
        channels: content.channels,
        onTileError: events.onTileError,
      }),
    });
  }

  function toScreen(x: number, y: number): [number, number] {
    return project(viewState, size.width, size.height, x, y);
  }

  function pointRadiusPx(): number {
    const { radius, radiusMinPx, radiusMaxPx } = pointSize(
      manifest,
      view,
      content?.layers.pointSize ?? 1,
    );
    return Math.min(radiusMaxPx, Math.max(radiusMinPx, radius * 2 ** viewState.zoom));
  }

  function drawMark(): void {
    if (hovered < 0 || !content?.layers.cells || content.rgba[4 * hovered + 3] === 0)
      return mark.show(null);
    const [x, y] = toScreen(positions[2 * hovered]!, positions[2 * hovered + 1]!);
    const reach = 200;
    if (x < -reach || y < -reach || x > size.width + reach || y > size.height + reach)
      return mark.show(null);
    const ring = outlined && outlineOf(outlined, hovered);
    if (!ring) return mark.show({ x, y, radius: Math.max(6, 1.25 * pointRadiusPx()) });
    const onScreen: number[] = [];
    for (let at = 0; at < ring.length; at += 2)
      onScreen.push(...toScreen(ring[at]!, ring[at + 1]!));
    mark.show({ ring: onScreen });
  }

  function cellAt(x: number, y: number): number {
    const rgba = content?.rgba;
    if (!rgba || !content?.layers.cells) return -1;
    if (view === "tissue" && content.swipe !== null && x < content.swipe * size.width) return -1;
    const [dataX, dataY] = unproject(viewState, size.width, size.height, x, y);
    const isDrawn = (cell: number) => rgba[4 * cell + 3]! > 0;
    if (outlined) {
      const around = LARGEST_CELL_UM / umPerUnit;
      const box = {
        minX: dataX - around,
        minY: dataY - around,
        maxX: dataX + around,
        maxY: dataY + around,
      };
      const shape = outlined;
      const under = gridOf()
        .inside(box, MOST_OUTLINES)
        .find((cell) => {
          const ring = isDrawn(cell) && outlineOf(shape, cell);
          return ring ? isInside(ring, dataX, dataY) : false;
        });
      if (under !== undefined) return under;
    }
    const reach = Math.max(
      HOVER_REACH_PX / 2 ** viewState.zoom,
      view === "tissue" ? 6 / umPerUnit : 0,
    );
    return gridOf().nearest(dataX, dataY, reach, isDrawn);
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

  function lost(): void {
    if (!gone) events.onLost();
  }

  parent.addEventListener("pointermove", hover);
  parent.addEventListener("pointerleave", leave);
  host.addEventListener("webglcontextlost", lost, true);

  return {
    get positions() {
      return positions;
    },
    show(next) {
      const others = next.cells !== content?.cells;
      content = next;
      if (others) take(next.cells);
      draw();
      drawMark();
    },
    highlight(cell) {
      if (cell === hovered) return;
      hovered = cell;
      drawMark();
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
    frame: () => ({
      widthPx: size.width,
      heightPx: size.height,
      umPerPixel: umPerPixel(),
    }),
    seen() {
      if (!content) return undefined;
      const { rgba } = content;
      const isDrawn = (cell: number) => rgba[4 * cell + 3]! > 0;
      const { bounds } = gridOf();
      const drawn = gridOf().count(bounds, isDrawn);
      const box = boxInView();
      return {
        drawn,
        inView: contains(box, bounds) ? drawn : gridOf().count(box, isDrawn),
        widthUm: view === "tissue" ? (size.width * umPerUnit) / 2 ** viewState.zoom : null,
        outlined: outlined !== undefined,
      };
    },
    picture(ratio, withCells) {
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(size.width * ratio);
      canvas.height = Math.round(size.height * ratio);
      deck.setProps({
        useDevicePixels: ratio,
        layerFilter: withCells ? null : ({ layer }) => !isOfCells(layer.id),
      });
      // Drawn and read in one go: the browser may clear the drawing as soon as this task ends.
      deck.redraw("picture");
      const drawn = host.querySelector("canvas");
      if (drawn) canvas.getContext("2d")!.drawImage(drawn, 0, 0, canvas.width, canvas.height);
      deck.setProps({ useDevicePixels: true, layerFilter: null });
      deck.redraw("picture taken");
      return canvas;
    },
    cellsInView(limit) {
      const rgba = content?.rgba;
      if (!rgba || !content?.layers.cells) return undefined;
      const margin = 20 / 2 ** viewState.zoom;
      const { minX, minY, maxX, maxY } = boxInView();
      const from =
        view === "tissue" && content.swipe !== null ? minX + content.swipe * (maxX - minX) : minX;
      const box = {
        minX: from - margin,
        minY: minY - margin,
        maxX: maxX + margin,
        maxY: maxY + margin,
      };
      const inside = gridOf().inside(box, limit);
      if (inside.length > limit) return undefined;
      return {
        cells: inside.filter((cell) => rgba[4 * cell + 3]! > 0),
        shape: outlined,
        radiusPx: pointRadiusPx(),
        toScreen,
        widthPx: size.width,
        heightPx: size.height,
      };
    },
    destroy() {
      gone = true;
      idle();
      near?.close();
      parent.removeEventListener("pointermove", hover);
      parent.removeEventListener("pointerleave", leave);
      const drawn = host.querySelector("canvas");
      deck.finalize();
      host.remove();
      // Given back at once: browsers keep only some sixteen.
      drawn?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Runs `work` when the page has nothing else to do; the returned function calls it off. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
