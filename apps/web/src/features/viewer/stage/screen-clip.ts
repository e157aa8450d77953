import type { Device } from "@luma.gl/core";

/** From and to, as shares of the view's width. */
export type Span = readonly [number, number];

/** Device pixels between which a layer is drawn. */
export function clipInPixels(span: Span | null, device: Device): [number, number] {
  if (!span) return [-1, 1e9];
  const [width] = device.canvasContext!.getDrawingBufferSize();
  // Rounded alike for both neighbors, so that no pixel is drawn twice or left out.
  return [
    span[0] <= 0 ? -1 : Math.round(span[0] * width),
    span[1] >= 1 ? 1e9 : Math.round(span[1] * width),
  ];
}
