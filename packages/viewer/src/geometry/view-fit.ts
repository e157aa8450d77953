import type { Box } from "./point-grid.ts";
import { turned, turnedBack, UPRIGHT, type Turn } from "./turn.ts";

/** CSS pixels. */
export interface StageSize {
  width: number;
  height: number;
}

/** Center of the view and zoom: one data unit is 2^zoom CSS pixels. */
export interface ViewState {
  target: [number, number, number];
  zoom: number;
}

/** A view whose data may be turned on the screen; upright if not given. */
export interface TurnedState extends ViewState {
  turn?: Turn | undefined;
}

/** The view in which `box`, turned, fills `widthPx` × `heightPx` except for a margin on every side. */
export function fitView(
  box: Box,
  widthPx: number,
  heightPx: number,
  marginPx = 24,
  turn: Turn = UPRIGHT,
): ViewState {
  const [across, down] = sidesAround(turn, box.maxX - box.minX, box.maxY - box.minY).map((side) =>
    Math.max(1e-9, side),
  ) as [number, number];
  const roomX = Math.max(1, widthPx - 2 * marginPx);
  const roomY = Math.max(1, heightPx - 2 * marginPx);
  return {
    target: [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2, 0],
    zoom: Math.log2(Math.min(roomX / across, roomY / down)),
  };
}

/** Margin around the data when everything is shown, CSS pixels. */
export function fitMargin(widthPx: number): number {
  return widthPx < 640 ? 12 : 32;
}

/** Width and height of the smallest box around a turned one. */
function sidesAround([a, b, d, e]: Turn, width: number, height: number): [number, number] {
  return [Math.abs(a) * width + Math.abs(b) * height, Math.abs(d) * width + Math.abs(e) * height];
}

/** The part of the data in view; where they are turned, the smallest box around it. */
export function visibleBox(
  { target, zoom, turn: [a, b, d, e] = UPRIGHT }: TurnedState,
  widthPx: number,
  heightPx: number,
): Box {
  const [halfX, halfY] = sidesAround([a, d, b, e], widthPx, heightPx).map(
    (side) => side / 2 / 2 ** zoom,
  ) as [number, number];
  return {
    minX: target[0] - halfX,
    minY: target[1] - halfY,
    maxX: target[0] + halfX,
    maxY: target[1] + halfY,
  };
}

/** The data position under a screen position (CSS pixels from the view's top left corner). */
export function unproject(
  { target, zoom, turn = UPRIGHT }: TurnedState,
  widthPx: number,
  heightPx: number,
  screenX: number,
  screenY: number,
): [number, number] {
  const unit = 2 ** zoom;
  const [x, y] = turnedBack(turn, (screenX - widthPx / 2) / unit, (screenY - heightPx / 2) / unit);
  return [target[0] + x, target[1] + y];
}

/** The screen position of the data at (x, y): the inverse of `unproject`. */
export function project(
  { target, zoom, turn = UPRIGHT }: TurnedState,
  widthPx: number,
  heightPx: number,
  x: number,
  y: number,
): [number, number] {
  const unit = 2 ** zoom;
  const [across, down] = turned(turn, x - target[0], y - target[1]);
  return [across * unit + widthPx / 2, down * unit + heightPx / 2];
}
