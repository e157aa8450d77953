import type { ImageFacts } from "../facts.ts";
import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import type { PictureLayer } from "./figure.ts";
import type { TissueImage } from "../readers/images/tissue-image.ts";
import { boxOf } from "@stipple/numerics/boxes";

/** A rectangle of the tissue in full-resolution pixels, and its mapping to a panel of a figure. */
export interface TissuePanel {
  x: number;
  y: number;
  width: number;
  height: number;
  widthPx: number;
  heightPx: number;
  /** Panel pixels per full-resolution pixel. */
  scale: number;
  /** µm per panel pixel. */
  micronsPerPixel: number;
  /** RGB8 of the faded tissue image. */
  background: Uint8Array;
}

/** Share of white laid over the tissue, so that the colors of cells stand out. */
const FADE = 0.5;
/** Beyond this, a panel would only show enlarged pixels. */
const MAX_ENLARGEMENT = 3;
/** Margin around the outermost spots, and the smallest extent shown for a sample with few spots. */
const MARGIN_UM = 150;
const MIN_SIDE_UM = 1000;

/**
 * The part of the tissue around the spots as the background of a figure. It depends only on the spots and on the image
 * in which cells are detected (`facts`), so that figures of several steps show the same frame, regardless of the
 * `ground` they are drawn on and of the cells found. Without an image, the background is white.
 */
export async function tissuePanel(
  ground: { image: TissueImage; scale: number } | null,
  facts: Pick<ImageFacts, "source" | "widthPx" | "heightPx" | "scale">,
  spots: Matrix,
  options: { longSidePx: number; micronsPerPixel: number; signal: AbortSignal },
): Promise<TissuePanel> {
  const bounds = boxOf(spots.data);
  const margin = MARGIN_UM / options.micronsPerPixel;
  const least = MIN_SIDE_UM / options.micronsPerPixel;
  const hasImage = facts.source !== "none";
  const [left, right] = span(
    bounds.left,
    bounds.right,
    hasImage ? facts.widthPx * facts.scale : null,
  );
  const [top, bottom] = span(
    bounds.top,
    bounds.bottom,
    hasImage ? facts.heightPx * facts.scale : null,
  );

  function span(from: number, to: number, side: number | null): [number, number] {
    const extra = Math.max(margin, (least - (to - from)) / 2);
    const [start, end] = [Math.floor(from - extra), Math.ceil(to + extra)];
    return side === null ? [start, end] : [Math.max(0, start), Math.min(side, end)];
  }
  const width = Math.max(1, right - left);
  const height = Math.max(1, bottom - top);
  const scale = Math.min(
    options.longSidePx / Math.max(width, height),
    MAX_ENLARGEMENT / Math.min(1, facts.scale),
  );
  const widthPx = Math.max(1, Math.round(width * scale));
  const heightPx = Math.max(1, Math.round(height * scale));
  const background = new Uint8Array(widthPx * heightPx * 3).fill(255);
  const panel: TissuePanel = {
    x: left,
    y: top,
    width,
    height,
    widthPx,
    heightPx,
    scale,
    micronsPerPixel: options.micronsPerPixel / scale,
    background,
  };
  if (ground) {
    const { image, scale: imageScale } = ground;
    const x = Math.min(image.widthPx - 1, Math.floor(left / imageScale));
    const y = Math.min(image.heightPx - 1, Math.floor(top / imageScale));
    const pixels = await image.getRegion({
      x,
      y,
      width: Math.max(1, Math.min(image.widthPx - x, Math.round(width / imageScale))),
      height: Math.max(1, Math.min(image.heightPx - y, Math.round(height / imageScale))),
      outWidth: widthPx,
      outHeight: heightPx,
      signal: options.signal,
    });
    for (let i = 0; i < background.length; i++) {
      background[i] = Math.round(pixels.data[i] * (1 - FADE) + 255 * FADE);
    }
  }
  return panel;
}

/** The panel's background as the lowest layer of a figure. */
export function groundLayer(panel: TissuePanel, x: number, y: number): PictureLayer {
  return {
    kind: "picture",
    x,
    y,
    widthPx: panel.widthPx,
    heightPx: panel.heightPx,
    channels: 3,
    pixels: panel.background,
  };
}

/** Ring of cell `cell` in panel pixels; fewer than three points if the cell has no outline. */
export function ringOnPanel(panel: TissuePanel, polygons: Polygons, cell: number): Float32Array {
  const from = 2 * polygons.offsets[cell];
  const to = 2 * polygons.offsets[cell + 1];
  const ring = new Float32Array(to - from);
  for (let p = 0; p < ring.length; p += 2) {
    ring[p] = (polygons.xy[from + p] - panel.x) * panel.scale;
    ring[p + 1] = (polygons.xy[from + p + 1] - panel.y) * panel.scale;
  }
  return ring;
}

/** Longer side of a panel, px. */
export const PANEL_SIDE_PX = 2400;
