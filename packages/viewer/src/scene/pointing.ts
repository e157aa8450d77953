import { outlineOf } from "../draw/outline-shape.ts";
import { unitsOf } from "../draw/dot-size.ts";
import { cellUnder } from "./cell-under.ts";
import { hoverMark } from "./hover-mark.ts";
import type { SceneEvents } from "./interface.ts";
import { pointRadiusPx, type Stand } from "./stand.ts";

/** A cell under the pointer has its center within this distance. */
const LARGEST_CELL_UM = 25;
const HOVER_REACH_PX = 10;
const HOVER_REACH_UM = 6;
/** A marked cell this far outside the view is not drawn, CSS px. */
const MARK_REACH_PX = 200;

/** The cell under the pointer, and the mark around a cell. */
export interface Pointing {
  /** Marks a cell; −1 for none. */
  highlight(cell: number): void;
  /** Draws the mark again after the view or its content changed. */
  draw(): void;
  close(): void;
}

/** Follows the pointer over `parent`; the mark is drawn over `host`. */
export function pointing(
  stand: Stand,
  parent: HTMLElement,
  host: HTMLElement,
  onHover: SceneEvents["onHover"],
): Pointing {
  const mark = hoverMark(host);
  let marked = -1;

  function hover(event: PointerEvent): void {
    const bounds = parent.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    onHover(event.buttons === 0 ? cellAt(stand, x, y) : -1, x, y);
  }
  const leave = () => onHover(-1, 0, 0);
  parent.addEventListener("pointermove", hover);
  parent.addEventListener("pointerleave", leave);

  const draw = () => mark.show(markOf(stand, marked));
  return {
    highlight(cell) {
      if (cell === marked) return;
      marked = cell;
      draw();
    },
    draw,
    close() {
      parent.removeEventListener("pointermove", hover);
      parent.removeEventListener("pointerleave", leave);
    },
  };
}

/** The cell at a position on the stage; −1 for none. */
function cellAt({ view, source, eye, points, content, outlined }: Stand, x: number, y: number) {
  if (!content?.layers.cells) return -1;
  const { rgba, swipe } = content;
  if (view === "tissue" && swipe !== null && x < swipe * eye.size.width) return -1;
  const hover = HOVER_REACH_PX / 2 ** eye.state.zoom;
  const { manifest } = source;
  return cellUnder(...eye.fromScreen(x, y), {
    grid: points.grid(),
    rgba,
    outlined,
    largest: unitsOf(LARGEST_CELL_UM, manifest),
    reach: view === "tissue" ? Math.max(hover, unitsOf(HOVER_REACH_UM, manifest)) : hover,
  });
}

/** The mark around a cell: its outline where that is drawn, otherwise a ring; null if it is not in view. */
function markOf(stand: Stand, cell: number): Parameters<ReturnType<typeof hoverMark>["show"]>[0] {
  const { eye, points, content, outlined } = stand;
  if (cell < 0 || !content?.layers.cells || content.rgba[4 * cell + 3] === 0) return null;
  const { positions } = points;
  const [x, y] = eye.toScreen(positions[2 * cell]!, positions[2 * cell + 1]!);
  const { width, height } = eye.size;
  const isNear = (at: number, size: number) => at >= -MARK_REACH_PX && at <= size + MARK_REACH_PX;
  if (!isNear(x, width) || !isNear(y, height)) return null;
  const ring = outlined && outlineOf(outlined, cell);
  if (!ring) return { x, y, radius: Math.max(6, 1.25 * pointRadiusPx(stand)) };
  const onScreen: number[] = [];
  for (let at = 0; at < ring.length; at += 2)
    onScreen.push(...eye.toScreen(ring[at]!, ring[at + 1]!));
  return { ring: onScreen };
}
