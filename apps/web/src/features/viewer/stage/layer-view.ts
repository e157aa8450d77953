import type { Layer } from "@deck.gl/core";

/** How a flat view lies under a layer. */
export interface LayerView {
  /** The place in its middle, in units of the drawing. */
  center: [number, number];
  /** From a unit of the drawing to clip space, y downwards. */
  scale: [number, number];
  /** CSS px of a unit of the drawing. */
  unitPx: number;
  /** Device pixels of a CSS px. */
  ratio: number;
}

export function layerView({ context: { viewport, device } }: Pick<Layer, "context">): LayerView {
  const { width, height, zoom } = viewport;
  const unitPx = 2 ** zoom;
  return {
    center: viewport.unproject([width / 2, height / 2]) as [number, number],
    scale: [(2 * unitPx) / width, (-2 * unitPx) / height],
    unitPx,
    ratio: device.canvasContext!.cssToDeviceRatio(),
  };
}
