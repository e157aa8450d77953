import type { Place, ViewName } from "../choices.ts";
import type { Box } from "../geometry/point-grid.ts";
import type { Cells } from "../source/cells.ts";
import type { ViewSource } from "../source/source.ts";
import { camera } from "./camera.ts";
import { closeUp } from "./close-up.ts";
import { deckStage } from "./deck-stage.ts";
import { drawnLayers } from "./drawn-layers.ts";
import type { Scene, SceneEvents } from "./interface.ts";
import { pointing } from "./pointing.ts";
import { scenePoints } from "./points.ts";
import { cellsInView, frameOf, seenView } from "./seen.ts";
import type { Stand } from "./stand.ts";
import { steering } from "./steering.ts";
import { tileRounds } from "./tile-rounds.ts";
import { toolUse } from "./tool-use.ts";

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
  const stand: Stand = { view, source, eye, points, content: undefined, outlined: undefined };
  const { moveTo, resize, extend, ...steer } = steering(eye, place !== null, moved);
  const { onLost, onMissing, onHover } = events;
  const stage = deckStage(parent, eye.state, { onMove: moveTo, onResize: resize, onLost });
  const near = closeUp(stand, redraw, (isMissing) => onMissing("outlines", isMissing));
  const rounds = tileRounds((isMissing) => onMissing("tiles", isMissing), draw);
  const pointer = pointing(stand, parent, stage.host, onHover);
  const ground = {
    view,
    element: parent,
    toData: eye.fromScreen,
    toScreen: eye.toScreen,
    ...steer,
  };
  const picks = (_pickable: boolean) => stage.deck.setProps({ _pickable });
  const tools = toolUse(ground, picks, draw);
  const layers = drawnLayers(stand, { near, rounds, tools, tilePixels });
  let gone = false;

  function draw(): void {
    if (stand.content && !gone) stage.deck.setProps({ layers: layers() });
  }

  function redraw(): void {
    draw();
    pointer.draw();
  }

  function moved(): void {
    const { target, zoom } = eye.state;
    stage.look(eye.state);
    redraw();
    const now = { x: target[0], y: target[1], zoom };
    events.onView({ umPerPixel: eye.umPerPixel(), close: eye.isClose(), place: now });
  }

  function take(cells: Cells): void {
    points.take(cells);
    near.close();
    if (view === "umap") extend(points.grid().bounds);
  }

  return {
    ...steer,
    get positions() {
      return points.positions;
    },
    show(next) {
      // Another grouping of the same cells moves none.
      const others = next.cells.xy !== stand.content?.cells.xy;
      stand.content = next;
      if (others) take(next.cells);
      redraw();
    },
    highlight: pointer.highlight,
    use: (tool) => !gone && tools.use(tool),
    ...{ unproject: eye.fromScreen, project: eye.toScreen },
    frame: () => frameOf(stand),
    seen: () => seenView(stand),
    isWhole: () => stand.content !== undefined && stage.isWhole() && !near.isWaiting(),
    picture: (ratio, parts) => stage.picture(eye.size, ratio, parts),
    cellsInView: (limit) => cellsInView(stand, limit),
    destroy() {
      tools.use(null);
      gone = true;
      points.close();
      near.close();
      pointer.close();
      stage.destroy();
    },
  };
}
