import { widen } from "./widen-bounds.ts";

const [POLYGON, MULTI_POLYGON] = [3, 6];
/** Byte order, kind, and number of parts. */
const HEAD = 9;

/** Little-endian WKB of polygons with holes; rings are open and become closed. Widens `bounds`. */
export function multiPolygon(
  polygons: readonly (readonly Float64Array[])[],
  bounds: number[],
): Uint8Array {
  const ringBytes = (ring: Float64Array): number => 4 + 8 * (ring.length + 2);
  const bytes = polygons
    .flatMap((rings) => [HEAD, ...rings.map(ringBytes)])
    .reduce((sum, size) => sum + size, HEAD);
  const view = new DataView(new ArrayBuffer(bytes));
  let at = 0;
  const count = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const head = (kind: number, parts: number): void => {
    view.setUint8(at++, 1);
    count(kind);
    count(parts);
  };
  head(MULTI_POLYGON, polygons.length);
  for (const rings of polygons) {
    head(POLYGON, rings.length);
    for (const ring of rings) {
      count(ring.length / 2 + 1);
      for (const value of [...ring, ring[0]!, ring[1]!]) {
        view.setFloat64(at, value, true);
        at += 8;
      }
      widen(bounds, ring);
    }
  }
  return new Uint8Array(view.buffer);
}
