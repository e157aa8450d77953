import { NUCLEI_FILE, type ViewerManifest } from "@stipple/contract/routes/visualization";
import type { Cells } from "../data/cells.ts";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { Place, ViewName } from "../state/shown-state.ts";
import { camera } from "./camera.ts";
import { cellUnder } from "./cell-under.ts";
import { deckStage } from "./deck-stage.ts";
import type { DotData } from "./dot-layer.ts";
import { graphics } from "./graphics.ts";
import { hoverMark } from "./hover-mark.ts";
import { contains, dotData, nearCells, type NearCells } from "./near-cells.ts";
import { outlineOf, type OutlineShape } from "./outline-shape.ts";
import { pointGrid } from "./point-grid.ts";
import type { Scene, SceneContent, SceneEvents } from "./scene-interface.ts";
import { pointSize, sceneLayers } from "./scene-layers.ts";
import { spotDrawings } from "./spot-drawings.ts";
import { isFinal } from "./tried-again.ts";
import { umapDrawing } from "./umap-drawing.ts";
import type { ViewState } from "./view-fit.ts";
import { whenIdle } from "./when-idle.ts";

export type {
  CellsInView,
  Scene,
  SceneContent,
  SceneEvents,
  SpotContent,
} from "./scene-interface.ts";

/** A cell under the pointer has its center within this distance. */
const LARGEST_CELL_UM = 25;
const HOVER_REACH_PX = 10;
const HOVER_REACH_UM = 6;
const BETWEEN_ROUNDS_MS = 10_000;

export interface SceneProject {
  view: ViewName;
  source: ViewerSource;
  manifest: ViewerManifest;
  /** Initial view; null = fitted to the data. */
  place: Place | null;
}

/** Draws one view of a project into `parent` and keeps it up to date. Requires WebGL 2. */
export function createScene(
  parent: HTMLDivElement,
  { view, source, manifest, place: firstPlace }: SceneProject,
  events: SceneEvents,
): Scene {
  const umPerUnit = manifest.micronsPerPixel * manifest.tissue.scale;
  const size = { width: parent.clientWidth, height: parent.clientHeight };
  const eye = camera(view, manifest, size, firstPlace);
  let touched = firstPlace !== null;
  let positions: Float32Array = new Float32Array();
  let gridOf = once(() => pointGrid(positions));
  let content: SceneContent | undefined;
  let hovered = -1;
  let near: NearCells | undefined;
  let nearNuclei: NearCells | undefined;
  let outlined: OutlineShape | undefined;
  let dots: { rgba: Uint8Array; data: DotData } | undefined;
  let gone = false;
  let gaveUp = false;
  let tileRound = 0;
  let nextRound = 0;
  const spots = spotDrawings(manifest);
  const drawnBy = graphics();
  const stage = deckStage(parent, eye.state, {
    onMove(next) {
      touched = true;
      move(next);
    },
    onResize(next) {
      eye.resize(next);
      move(touched ? eye.state : eye.fitted());
    },
    onLost: events.onLost,
  });
  const mark = hoverMark(stage.host);
  let idle = (): void => undefined;

  /** Sets the cells: a scene may be created before they are loaded. */
  function take(cells: Cells): void {
    positions = view === "tissue" ? cells.xy : umapDrawing(cells.umap);
    gridOf = once(() => pointGrid(positions));
    near?.close();
    nearNuclei?.close();
    near = nearNuclei = undefined;
    dots = undefined;
    idle();
    idle = whenIdle(() => void gridOf());
    if (view !== "umap") return;
    eye.extend(gridOf().bounds);
    move(touched ? eye.state : eye.fitted());
  }

  function move(next: ViewState): void {
    eye.lookAt(next);
    const { target, zoom } = eye.state;
    stage.deck.setProps({ viewState: eye.state });
    draw();
    drawMark();
    events.onView({
      umPerPixel: eye.umPerPixel(),
      close: eye.isClose(),
      place: { x: target[0], y: target[1], zoom },
    });
  }

  /** Cells as outlines if the view is close enough. */
  function nearDrawing({ rgba, layers, polygonOffsets, nucleusOffsets }: SceneContent) {
    if (!polygonOffsets || !layers.outlines || !layers.cells || !eye.isClose()) return undefined;
    const again = () => {
      draw();
      drawMark();
    };
    const outlines = (file: string, offsets: Uint32Array) =>
      nearCells(source, manifest, file, positions, gridOf(), offsets, again, (isMissing) =>
        events.onMissing("outlines", isMissing),
      );
    near ??= outlines(manifest.polygonTiles.file, polygonOffsets);
    const drawing = near.look(eye.box(), rgba);
    if (!drawing || !layers.nuclei || !nucleusOffsets)
      return drawing && { ...drawing, nuclei: undefined };
    nearNuclei ??= outlines(NUCLEI_FILE, nucleusOffsets);
    return { ...drawing, nuclei: nearNuclei.look(eye.box(), rgba)?.outlines };
  }

  function dotsNow(rgba: Uint8Array): DotData {
    if (dots?.rgba !== rgba) dots = { rgba, data: dotData(positions, rgba) };
    return dots.data;
  }

  function draw(): void {
    if (!content || gone) return;
    const drawing = nearDrawing(content);
    outlined = drawing?.outlines?.mesh;
    stage.deck.setProps({
      layers: sceneLayers({
        source,
        manifest,
        view,
        graphics: drawnBy,
        dots: dotsNow(content.rgba),
        choices: content.layers,
        spots: content.spots && spots(content.spots, eye.box(), 2 ** eye.state.zoom),
        near: drawing,
        nuclei: drawing?.nuclei,
        swipe: content.swipe,
        channels: content.channels,
        tileRound,
        onTile,
      }),
    });
  }

  /** Failed tiles are requested again once another one arrives, but not too often. */
  function onTile(error?: unknown): void {
    if (error !== undefined) {
      gaveUp ||= !isFinal(error);
      events.onMissing("tiles", true);
    } else if (gaveUp && performance.now() > nextRound) {
      gaveUp = false;
      nextRound = performance.now() + BETWEEN_ROUNDS_MS;
      tileRound += 1;
      events.onMissing("tiles", false);
      draw();
    }
  }

  function pointRadiusPx(): number {
    const { radius, radiusMinPx, radiusMaxPx } = pointSize(
      manifest,
      view,
      content?.layers.pointSize ?? 1,
    );
    return Math.min(radiusMaxPx, Math.max(radiusMinPx, radius * 2 ** eye.state.zoom));
  }

  function drawMark(): void {
    if (hovered < 0 || !content?.layers.cells || content.rgba[4 * hovered + 3] === 0)
      return mark.show(null);
    const [x, y] = eye.toScreen(positions[2 * hovered]!, positions[2 * hovered + 1]!);
    const reach = 200;
    const { width, height } = eye.size;
    if (x < -reach || y < -reach || x > width + reach || y > height + reach) return mark.show(null);
    const ring = outlined && outlineOf(outlined, hovered);
    if (!ring) return mark.show({ x, y, radius: Math.max(6, 1.25 * pointRadiusPx()) });
    const onScreen: number[] = [];
    for (let at = 0; at < ring.length; at += 2)
      onScreen.push(...eye.toScreen(ring[at]!, ring[at + 1]!));
    mark.show({ ring: onScreen });
  }

  function cellAt(x: number, y: number): number {
    if (!content?.layers.cells) return -1;
    const { rgba, swipe } = content;
    if (view === "tissue" && swipe !== null && x < swipe * eye.size.width) return -1;
    const hover = HOVER_REACH_PX / 2 ** eye.state.zoom;
    return cellUnder(...eye.fromScreen(x, y), {
      grid: gridOf(),
      rgba,
      outlined,
      largest: LARGEST_CELL_UM / umPerUnit,
      reach: view === "tissue" ? Math.max(hover, HOVER_REACH_UM / umPerUnit) : hover,
    });
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
      move({ ...eye.state, zoom: eye.state.zoom + levels });
    },
    panBy(x, y) {
      touched = true;
      const { target, zoom } = eye.state;
      const unit = 2 ** zoom;
      move({ target: [target[0] + x / unit, target[1] + y / unit, 0], zoom });
    },
    goTo({ x, y, zoom }) {
      const { target, zoom: now } = eye.state;
      if (x === target[0] && y === target[1] && zoom === now) return;
      touched = true;
      move({ target: [x, y, 0], zoom });
    },
    fit() {
      touched = false;
      move(eye.fitted());
    },
    unproject: eye.fromScreen,
    frame: () => ({
      widthPx: eye.size.width,
      heightPx: eye.size.height,
      umPerPixel: eye.umPerPixel(),
    }),
    seen() {
      if (!content) return undefined;
      const { rgba } = content;
      const isDrawn = (cell: number) => rgba[4 * cell + 3]! > 0;
      const { bounds } = gridOf();
      const drawn = gridOf().count(bounds, isDrawn);
      const box = eye.box();
      const umPerPixel = eye.umPerPixel();
      return {
        drawn,
        inView: contains(box, bounds) ? drawn : gridOf().count(box, isDrawn),
        widthUm: umPerPixel === null ? null : eye.size.width * umPerPixel,
        outlined: outlined !== undefined,
      };
    },
    picture: (ratio, withCells) => stage.picture(eye.size, ratio, withCells),
    cellsInView(limit) {
      const rgba = content?.rgba;
      if (!rgba || !content?.layers.cells) return undefined;
      const margin = 20 / 2 ** eye.state.zoom;
      const { minX, minY, maxX, maxY } = eye.box();
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
        toScreen: eye.toScreen,
        widthPx: eye.size.width,
        heightPx: eye.size.height,
      };
    },
    destroy() {
      gone = true;
      idle();
      near?.close();
      nearNuclei?.close();
      parent.removeEventListener("pointermove", hover);
      parent.removeEventListener("pointerleave", leave);
      stage.destroy();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
