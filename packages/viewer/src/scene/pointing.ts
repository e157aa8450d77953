import { outlineOf, isInside, type OutlineShape } from "../draw/outline-shape.ts";
import { unitsOf } from "../draw/dot-size.ts";
import type { SceneEvents } from "./interface.ts";
import { pointRadiusPx, type SceneState } from "./scene-state.ts";
import { MAX_OUTLINES } from "../draw/near-cells.ts";
import type { PointGrid } from "../geometry/point-grid.ts";
import { ringPath } from "../geometry/ring-path.ts";

const NAMESPACE = "http://www.w3.org/2000/svg";

/** A cell under the pointer has its center within this distance. */
const LARGEST_CELL_UM = 25;
const HOVER_REACH_PX = 10;
const HOVER_REACH_UM = 6;
/** A marked cell this far outside the view is not drawn, CSS px. */
const MARK_REACH_PX = 200;

/** Follows the pointer over `parent` to the cell under it; the mark around a cell is drawn over `host`. */
export function pointing(
  state: SceneState,
  parent: HTMLElement,
  host: HTMLElement,
  onHover: SceneEvents["onHover"],
) {
  const mark = hoverMark(host);
  let marked = -1;
  let isClicked = false;

  function hover(event: MouseEvent): void {
    isClicked = event.type === "click";
    const bounds = parent.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    onHover(event.buttons === 0 ? cellAt(state, x, y) : -1, x, y);
  }
  // A finger leaves where it taps: what it tapped stays until it moves the view or taps elsewhere.
  const leave = ({ pointerType }: PointerEvent) => {
    if (pointerType !== "touch") onHover(-1, 0, 0);
  };
  parent.addEventListener("pointermove", hover);
  parent.addEventListener("click", hover);
  parent.addEventListener("pointerleave", leave);

  /** Draws the mark again after the view or its content changed. */
  const draw = () => mark.show(markOf(state, marked));
  return {
    /** Marks a cell; −1 for none. */
    highlight(cell: number): void {
      if (cell === marked) return;
      marked = cell;
      draw();
    },
    draw,
    /** The view moved or a tool has the pointer: what was tapped is left, and no pointer will leave it. */
    leaveTapped(): void {
      if (isClicked) onHover(-1, 0, 0);
      isClicked = false;
    },
    close(): void {
      parent.removeEventListener("pointermove", hover);
      parent.removeEventListener("click", hover);
      parent.removeEventListener("pointerleave", leave);
    },
  };
}

/** The cell at a position on the stage; −1 for none. */
function cellAt(
  { view, source, eye, points, content, outlined }: SceneState,
  x: number,
  y: number,
) {
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
function markOf(
  state: SceneState,
  cell: number,
): Parameters<ReturnType<typeof hoverMark>["show"]>[0] {
  const { eye, points, content, outlined } = state;
  if (cell < 0 || !content?.layers.cells || content.rgba[4 * cell + 3] === 0) return null;
  const { positions } = points;
  const [x, y] = eye.toScreen(positions[2 * cell]!, positions[2 * cell + 1]!);
  const { width, height } = eye.size;
  const isNear = (at: number, size: number) => at >= -MARK_REACH_PX && at <= size + MARK_REACH_PX;
  if (!isNear(x, width) || !isNear(y, height)) return null;
  const ring = outlined && outlineOf(outlined, cell);
  if (!ring) return { x, y, radius: Math.max(6, 1.25 * pointRadiusPx(state)) };
  const onScreen: number[] = [];
  for (let at = 0; at < ring.length; at += 2)
    onScreen.push(...eye.toScreen(ring[at]!, ring[at + 1]!));
  return { ring: onScreen };
}

/** The cells as drawn; lengths in drawing units. */
interface DrawnCells {
  grid: PointGrid;
  /** 4 × nCells; alpha 0 = not drawn. */
  rgba: Uint8Array;
  /** Outlines, if any are available. */
  outlined: OutlineShape | undefined;
  /** Maximum distance from an outlined cell's center to its edge. */
  largest: number;
  /** A cell without an outline is hit within this distance of its center. */
  reach: number;
}

/** The cell whose outline contains a point, or whose center is nearest to it; −1 for none. */
function cellUnder(x: number, y: number, cells: DrawnCells): number {
  const { grid, rgba, outlined, largest, reach } = cells;
  const isDrawn = (cell: number) => rgba[4 * cell + 3]! > 0;
  if (outlined) {
    const around = { minX: x - largest, minY: y - largest, maxX: x + largest, maxY: y + largest };
    const under = grid.inside(around, MAX_OUTLINES).find((cell) => {
      const ring = isDrawn(cell) && outlineOf(outlined, cell);
      return ring ? isInside(ring, x, y) : false;
    });
    if (under !== undefined) return under;
  }
  return grid.nearest(x, y, reach, isDrawn);
}

/** A ring around one cell, overlaid on the drawing so that marking another cell does not redraw all cells. */
interface HoverMark {
  /** The outline's vertices (CSS px, x and y alternating, closed), a circle, or nothing. */
  show(shape: { ring: ArrayLike<number> } | { x: number; y: number; radius: number } | null): void;
}

function hoverMark(parent: HTMLElement): HoverMark {
  const svg = parent.appendChild(document.createElementNS(NAMESPACE, "svg"));
  svg.setAttribute("aria-hidden", "true");
  svg.style.cssText =
    "position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none;";
  // A light line on a dark one is visible on any tissue.
  const lines = (
    [
      ["#0f1b2a", 5],
      ["#ffffff", 2.5],
    ] as const
  ).map(([color, width]) => {
    const path = svg.appendChild(document.createElementNS(NAMESPACE, "path"));
    path.setAttribute("fill", "none");
    path.setAttribute("stroke", color);
    path.setAttribute("stroke-width", `${width}`);
    path.setAttribute("stroke-linejoin", "round");
    return path;
  });
  let shown = "";
  return {
    show(shape) {
      const path = shape === null ? "" : "ring" in shape ? ringPath(shape.ring) : circlePath(shape);
      if (path === shown) return;
      shown = path;
      for (const line of lines) line.setAttribute("d", path);
    },
  };
}

function circlePath({ x, y, radius }: { x: number; y: number; radius: number }): string {
  const r = radius.toFixed(1);
  const half = (to: number) => `A${r} ${r} 0 0 1 ${to.toFixed(1)} ${y.toFixed(1)}`;
  return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}${half(x + radius)}${half(x - radius)}Z`;
}
