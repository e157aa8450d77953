import type { PictureLayer } from "./figure.ts";

export type Rgb = readonly [number, number, number];

/** Sub-scanlines a pixel row: vertical anti-aliasing in quarters, horizontal coverage is exact. */
const SUB_ROWS = 4;

/**
 * A transparent picture to draw many small shapes on, straight alpha.
 * Shapes are painted in the order they come; SVG renderers need minutes for 100k shapes, this needs about a second.
 */
export class Raster {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
  #coverage: Float32Array;
  #crossings: Float64Array = new Float64Array(64);

  constructor(widthPx: number, heightPx: number) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.rgba = new Uint8Array(widthPx * heightPx * 4);
    this.#coverage = new Float32Array(widthPx + 1);
  }

  /** The picture as a layer of a figure, its top left corner at (x, y). */
  layer(x: number, y: number): PictureLayer {
    const { widthPx, heightPx, rgba } = this;
    return { kind: "picture", x, y, widthPx, heightPx, channels: 4, pixels: rgba };
  }

  /** Fills a closed ring (x0, y0, x1, y1, …; even–odd rule), anti-aliased. O(rows · points + covered pixels). */
  fillPolygon(ring: Float32Array | Float64Array, color: Rgb, opacity = 1): void {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let p = 0; p < ring.length; p += 2) {
      left = Math.min(left, ring[p]);
      right = Math.max(right, ring[p]);
      top = Math.min(top, ring[p + 1]);
      bottom = Math.max(bottom, ring[p + 1]);
    }
    const firstRow = Math.max(0, Math.floor(top));
    const lastRow = Math.min(this.heightPx - 1, Math.floor(bottom));
    const firstColumn = Math.max(0, Math.floor(left));
    const lastColumn = Math.min(this.widthPx - 1, Math.floor(right));
    if (firstColumn > lastColumn) return;
    if (this.#crossings.length < ring.length) this.#crossings = new Float64Array(ring.length);
    const coverage = this.#coverage;
    for (let row = firstRow; row <= lastRow; row++) {
      coverage.fill(0, firstColumn, lastColumn + 1);
      for (let sub = 0; sub < SUB_ROWS; sub++) {
        const crossings = this.#cross(ring, row + (sub + 0.5) / SUB_ROWS);
        for (let i = 0; i + 1 < crossings.length; i += 2) {
          this.#addSpan(crossings[i], crossings[i + 1], firstColumn, lastColumn);
        }
      }
      for (let column = firstColumn; column <= lastColumn; column++) {
        const share = coverage[column] / SUB_ROWS;
        if (share > 0) this.#blend(row * this.widthPx + column, color, share * opacity);
      }
    }
  }

  /** Fills a disc, anti-aliased over one pixel of its rim. */
  fillDisc(x: number, y: number, radius: number, color: Rgb, opacity = 1): void {
    const firstRow = Math.max(0, Math.floor(y - radius - 0.5));
    const lastRow = Math.min(this.heightPx - 1, Math.ceil(y + radius + 0.5));
    const firstColumn = Math.max(0, Math.floor(x - radius - 0.5));
    const lastColumn = Math.min(this.widthPx - 1, Math.ceil(x + radius + 0.5));
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const distance = Math.hypot(column + 0.5 - x, row + 0.5 - y);
        const share = Math.min(1, radius + 0.5 - distance);
        if (share > 0) this.#blend(row * this.widthPx + column, color, share * opacity);
      }
    }
  }

  /** Sorted x positions at which the ring crosses the horizontal line y. */
  #cross(ring: Float32Array | Float64Array, y: number): Float64Array {
    let count = 0;
    const n = ring.length;
    let [x0, y0] = [ring[n - 2], ring[n - 1]];
    for (let p = 0; p < n; p += 2) {
      const [x1, y1] = [ring[p], ring[p + 1]];
      if (y0 <= y !== y1 <= y) {
        let at = count++;
        const x = x0 + ((y - y0) / (y1 - y0)) * (x1 - x0);
        for (; at > 0 && this.#crossings[at - 1] > x; at--) {
          this.#crossings[at] = this.#crossings[at - 1];
        }
        this.#crossings[at] = x;
      }
      [x0, y0] = [x1, y1];
    }
    return this.#crossings.subarray(0, count);
  }

  #addSpan(from: number, to: number, firstColumn: number, lastColumn: number): void {
    const start = Math.max(from, firstColumn);
    const end = Math.min(to, lastColumn + 1);
    if (end <= start) return;
    const first = Math.floor(start);
    const last = Math.min(lastColumn, Math.floor(end));
    if (first === last) {
      this.#coverage[first] += end - start;
      return;
    }
    this.#coverage[first] += first + 1 - start;
    for (let column = first + 1; column < last; column++) this.#coverage[column] += 1;
    this.#coverage[last] += end - last;
  }

  #blend(pixel: number, color: Rgb, alpha: number): void {
    const at = pixel * 4;
    const rgba = this.rgba;
    const share = Math.min(1, alpha);
    const below = (rgba[at + 3] / 255) * (1 - share);
    const total = share + below;
    for (let channel = 0; channel < 3; channel++) {
      rgba[at + channel] = Math.round(
        (color[channel] * share + rgba[at + channel] * below) / total,
      );
    }
    rgba[at + 3] = Math.round(total * 255);
  }
}
