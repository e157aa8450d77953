import { cellsInRing } from "./region-cells.ts";

/** First the view's positions, once; then regions, each of which gets an answer. */
export type RegionRequest = { positions: Float32Array } | { id: number; ring: Float64Array };
export interface RegionAnswer {
  id: number;
  bits: Uint8Array<ArrayBuffer>;
  count: number;
}

let positions: Float32Array = new Float32Array();

self.addEventListener("message", ({ data }: MessageEvent<RegionRequest>) => {
  if ("positions" in data) {
    positions = data.positions;
    return;
  }
  const { bits, count } = cellsInRing(positions, data.ring);
  const answer = { id: data.id, bits, count } as RegionAnswer;
  self.postMessage(answer, { transfer: [answer.bits.buffer] });
});
