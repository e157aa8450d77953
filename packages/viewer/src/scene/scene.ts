import type { Place, ViewName } from "../choices.ts";
import type { Box } from "../geometry/point-grid.ts";
import type { Cells } from "../source/cells.ts";
import type { ViewSource } from "../source/source.ts";
import type { ViewTool } from "../tools/tool.ts";
import { camera } from "./camera.ts";
import { closeUp } from "./close-up.ts";
import { deckStage } from "./deck-stage.ts";
import { drawnLayers } from "./drawn-layers.ts";
import type { Scene, SceneEvents, CellsInView, SeenView } from "./interface.ts";
import { pointing } from "./pointing.ts";
import { scenePoints } from "./points.ts";
import { pointRadiusPx, type SceneState } from "./scene-state.ts";
import { steering } from "./steering.ts";
import { tileRounds } from "./tile-rounds.ts";
import { contains, grown } from "../geometry/boxes.ts";

/** Around the view, so that cells at its edge are not cut, CSS px. */
const EDGE_PX = 20;

export interface SceneProject {
  view: ViewName;
  source: ViewSource;
  /** Initial view; null = fitted to the data. */
  place: Place | null;
  /** Tiles are drawn with this many pixels per CSS px; undefined = as the screen has. */
  tilePixels?: number | undefined;
  /** What fits into the view, in drawing units; by default the data. */
  extent?: Box | undefined;
}

/** Draws one view of a project into `parent` and keeps it up to date. Requires WebGL 2. */
export function createScene(
  parent: HTMLDivElement,
  { view, source, place, tilePixels, extent }: SceneProject,
  events: SceneEvents,
): Scene {
  const size = { width: parent.clientWidth, height: parent.clientHeight };
  const eye = camera(view, source.manifest, { size, place, extent });
  const points = scenePoints(view);
  const state: SceneState = { view, source, eye, points, content: undefined, outlined: undefined };
  const { moveTo, resize, extend, ...steer } = steering(eye, place !== null, moved);
  const { onLost, onMissing, onHover } = events;
  const stage = deckStage(parent, eye.state, { onMove: moveTo, onResize: resize, onLost });
  const near = closeUp(state, redraw, (isMissing) => onMissing("outlines", isMissing));
  const rounds = tileRounds((isMissing) => onMissing("tiles", isMissing), draw);
  const pointer = pointing(state, parent, stage.host, onHover);
  const ground = { element: parent, toData: eye.fromScreen, toScreen: eye.toScreen, ...steer };
  const layers = drawnLayers(state, { near, rounds, tilePixels });
  let stopTool: (() => void) | undefined;
  let gone = false;

  function draw(): void {
    if (state.content && !gone) stage.deck.setProps({ layers: layers() });
  }

  function redraw(): void {
    draw();
    pointer.draw();
  }

  function moved(): void {
    const { target, zoom } = eye.state;
    stage.look(eye.state);
    pointer.leaveTapped();
    redraw();
    const now = { x: target[0], y: target[1], zoom };
    events.onView({ umPerPixel: eye.umPerPixel(), close: eye.isClose(), place: now });
  }

  function take(cells: Cells): void {
    points.take(cells);
    near.close();
    if (view === "umap") extend(points.grid().bounds);
  }

  function use(tool: ViewTool | null): void {
    stopTool?.();
    pointer.leaveTapped();
    stopTool = gone ? undefined : tool?.start(ground);
  }

  return {
    ...steer,
    get positions() {
      return points.positions;
    },
    show(next) {
      // Another grouping of the same cells moves none.
      const others = next.cells.xy !== state.content?.cells.xy;
      state.content = next;
      if (others) take(next.cells);
      redraw();
    },
    highlight: pointer.highlight,
    use,
    ...{ unproject: eye.fromScreen, project: eye.toScreen },
    frame: () => frameOf(state),
    seen: () => seenView(state),
    isWhole: () => state.content !== undefined && stage.isWhole() && !near.isWaiting(),
    picture: (ratio, parts) => stage.picture(eye.size, ratio, parts),
    cellsInView: (limit) => cellsInView(state, limit),
    destroy() {
      use(null);
      gone = true;
      points.close();
      near.close();
      pointer.close();
      stage.destroy();
    },
  };
}

/** Size of the stage in CSS px, and µm per CSS px; null on the UMAP. */
function frameOf({ eye }: SceneState): ReturnType<Scene["frame"]> {
  const { width, height } = eye.size;
  return { widthPx: width, heightPx: height, umPerPixel: eye.umPerPixel() };
}

/** What is in view, for screen readers; undefined before anything is shown. O(cells in view). */
function seenView({ eye, points, content, outlined }: SceneState): SeenView | undefined {
  if (!content) return undefined;
  const { rgba } = content;
  const isDrawn = (cell: number) => rgba[4 * cell + 3]! > 0;
  const grid = points.grid();
  const drawn = grid.count(grid.bounds, isDrawn);
  const box = eye.box();
  const umPerPixel = eye.umPerPixel();
  return {
    drawn,
    inView: contains(box, grid.bounds) ? drawn : grid.count(box, isDrawn),
    widthUm: umPerPixel === null ? null : eye.size.width * umPerPixel,
    outlined: outlined !== undefined,
  };
}

/** The cells in view, as drawn; undefined if there are more than `limit`. */
function cellsInView(state: SceneState, limit: number): CellsInView | undefined {
  const { view, eye, points, content, outlined } = state;
  if (!content?.layers.cells) return undefined;
  const { rgba, layers, swipe } = content;
  const { minX, maxX, ...rest } = eye.box();
  const from = view === "tissue" && swipe !== null ? minX + swipe * (maxX - minX) : minX;
  const box = grown({ minX: from, maxX, ...rest }, EDGE_PX / 2 ** eye.state.zoom);
  const inside = points.grid().inside(box, limit);
  if (inside.length > limit) return undefined;
  return {
    cells: inside.filter((cell) => rgba[4 * cell + 3]! > 0),
    ...{ rgba, layers, shape: outlined },
    radiusPx: pointRadiusPx(state),
    toScreen: eye.toScreen,
    widthPx: eye.size.width,
    heightPx: eye.size.height,
  };
}
