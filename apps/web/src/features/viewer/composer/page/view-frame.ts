import type { Place } from "@stipple/viewer/choices";
import type { Box } from "@stipple/viewer/geometry";

const POINTS_PER_INCH = 72;

/** What a view must show: a place, and how much around it, CSS px. */
export type Framed = Place & { widthPx: number; heightPx: number };

/** A view on a page. */
export interface FramedView {
  /** What must be in view, as it was on the screen. */
  framed: Framed;
  /** On the page, points. */
  width: number;
  height: number;
  dpi: number;
}

/** How large a view is drawn: so that it looks as on the screen, with at least what was in view there. */
export function viewFrame({ framed, width, height, dpi }: FramedView) {
  const pxPerPt = Math.max(framed.widthPx / width, framed.heightPx / height);
  return {
    widthPx: Math.round(width * pxPerPt),
    heightPx: Math.round(height * pxPerPt),
    /** Per CSS px. */
    pixels: dpi / POINTS_PER_INCH / pxPerPt,
  };
}

/** The resolution that a tissue image reaches: its largest level has one pixel per unit. */
export function reachedDpi(view: FramedView): number {
  return view.dpi / Math.max(1, 2 ** view.framed.zoom * viewFrame(view).pixels);
}

/** The part of a screen's view that has something to show: without empty ground around the data's `extent`. */
export function framedPart({ x, y, zoom, widthPx, heightPx }: Framed, extent: Box): Framed {
  const unit = 2 ** zoom;
  const along = (center: number, px: number, low: number, high: number): [number, number] => {
    const from = Math.max(low, center - px / 2 / unit);
    const to = Math.min(high, center + px / 2 / unit);
    return to > from ? [(from + to) / 2, (to - from) * unit] : [center, px];
  };
  const [middleX, wide] = along(x, widthPx, extent.minX, extent.maxX);
  const [middleY, high] = along(y, heightPx, extent.minY, extent.maxY);
  return { x: middleX, y: middleY, zoom, widthPx: Math.max(1, wide), heightPx: Math.max(1, high) };
}
