import type { Box } from "./point-grid.ts";

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

/** The view in which `box` fills `widthPx` × `heightPx` except for a margin on every side. */
export function fitView(box: Box, widthPx: number, heightPx: number, marginPx = 24): ViewState {
  const across = Math.max(1e-9, box.maxX - box.minX);
  const down = Math.max(1e-9, box.maxY - box.minY);
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

/** The part of the data in view. */
export function visibleBox({ target, zoom }: ViewState, widthPx: number, heightPx: number): Box {
  const halfX = widthPx / 2 / 2 ** zoom;
  const halfY = heightPx / 2 / 2 ** zoom;
  return {
    minX: target[0] - halfX,
    minY: target[1] - halfY,
    maxX: target[0] + halfX,
    maxY: target[1] + halfY,
  };
}

/** The data position under a screen position (CSS pixels from the view's top left corner). */
export function unproject(
  { target, zoom }: ViewState,
  widthPx: number,
  heightPx: number,
  screenX: number,
  screenY: number,
): [number, number] {
  const unit = 2 ** zoom;
  return [target[0] + (screenX - widthPx / 2) / unit, target[1] + (screenY - heightPx / 2) / unit];
}

/** The screen position of the data at (x, y): the inverse of `unproject`. */
export function project(
  { target, zoom }: ViewState,
  widthPx: number,
  heightPx: number,
  x: number,
  y: number,
): [number, number] {
  const unit = 2 ** zoom;
  return [(x - target[0]) * unit + widthPx / 2, (y - target[1]) * unit + heightPx / 2];
}
