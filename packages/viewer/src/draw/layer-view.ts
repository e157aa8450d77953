import type { Layer } from "@deck.gl/core";
import type { Turn } from "../geometry/turn.ts";
import { turnOf } from "./turned-view.ts";

/** The 2D view in which a layer is drawn. */
export interface LayerView {
  /** Center of the view, in drawing units. */
  center: [number, number];
  /** How the drawing lies on the screen. */
  turn: Turn;
  /** Scale from turned drawing units to clip space, y down. */
  scale: [number, number];
  /** CSS px per drawing unit. */
  unitPx: number;
  /** Device pixels per CSS px. */
  ratio: number;
}

export function layerView({ context: { viewport, device } }: Pick<Layer, "context">): LayerView {
  const { width, height, zoom } = viewport;
  const unitPx = 2 ** zoom;
  return {
    center: viewport.unproject([width / 2, height / 2]) as [number, number],
    turn: turnOf(viewport),
    scale: [(2 * unitPx) / width, (-2 * unitPx) / height],
    unitPx,
    ratio: device.canvasContext!.cssToDeviceRatio(),
  };
}
