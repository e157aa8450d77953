import type { Device } from "@luma.gl/core";

/** Start and end, as fractions of the view's width. */
export type Span = readonly [number, number];

/** Range of device pixels in which a layer is drawn. */
export function clipInPixels(span: Span | null, device: Device): [number, number] {
  if (!span) return [-1, 1e9];
  const [width] = device.canvasContext!.getDrawingBufferSize();
  // Both neighbors round the same way, so that no pixel is drawn twice or skipped.
  return [
    span[0] <= 0 ? -1 : Math.round(span[0] * width),
    span[1] >= 1 ? 1e9 : Math.round(span[1] * width),
  ];
}
