import { boxOf } from "@stipple/numerics/boxes";
import type { PictureLayer } from "./figure.ts";

export type Rgb = readonly [number, number, number];
type Point = readonly [x: number, y: number];

/** Less coverage than this is invisible in eight bits; float32 sums may differ from 0 by less. */
const MIN_COVERAGE = 1 / 512;

/**
 * A transparent picture for drawing many small shapes, straight alpha. Shapes are painted in the order given; SVG
 * renderers need minutes for 100k shapes; this takes about a second.
 */
export class Raster {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
  /** Contributions of a polygon's edges within its bounding box; all 0 between polygons. */
  #edges: Float32Array = new Float32Array(4096);

  constructor(widthPx: number, heightPx: number) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.rgba = new Uint8Array(widthPx * heightPx * 4);
  }

  /** The picture as a layer of a figure, with its top left corner at (x, y). */
  layer(x: number, y: number): PictureLayer {
    const { widthPx, heightPx, rgba } = this;
    return { kind: "picture", x, y, widthPx, heightPx, channels: 4, pixels: rgba };
  }

  /**
   * Fills a simple closed ring (x0, y0, x1, y1, …), weighting each pixel by its share inside. Each edge adds the change
   * in covered area to its right to the pixels that it crosses; cumulative sums along the rows are the coverage (the
   * method of R. Levien's font-rs). O(length of the ring + covered pixels).
   */
  fillPolygon(ring: Float32Array | Float64Array, color: Rgb, opacity = 1): void {
    const { left, right, top, bottom } = boxOf(ring);
    const firstRow = Math.max(0, Math.floor(top));
    const lastRow = Math.min(this.heightPx - 1, Math.floor(bottom));
    const firstColumn = Math.max(0, Math.floor(left));
    const lastColumn = Math.min(this.widthPx - 1, Math.floor(right));
    if (firstColumn > lastColumn || firstRow > lastRow) return;
    const width = lastColumn - firstColumn + 1;
    const height = lastRow - firstRow + 1;
    // Contributions right of the last column go to extra columns that are never read.
    const stride = width + 2;
    if (this.#edges.length < stride * height) this.#edges = new Float32Array(stride * height);
    const n = ring.length;
    for (let p = 0, q = n - 2; p < n; q = p, p += 2) {
      this.#addEdge(
        [ring[q] - firstColumn, ring[q + 1] - firstRow],
        [ring[p] - firstColumn, ring[p + 1] - firstRow],
        [width, height],
      );
    }
    for (let row = 0; row < height; row++) {
      const pixels = (firstRow + row) * this.widthPx + firstColumn;
      let sum = 0;
      for (let column = 0; column < width; column++) {
        sum += this.#edges[row * stride + column];
        const share = Math.min(1, Math.abs(sum));
        if (share > MIN_COVERAGE) this.#blend(pixels + column, color, share * opacity);
      }
    }
    this.#edges.fill(0, 0, stride * height);
  }

  /** Fills a disc, anti-aliased over one pixel at its edge. */
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

  /** Adds an edge between two points, in pixels of the bounding box; rows are two columns longer than `width`. */
  #addEdge(from: Point, to: Point, [width, height]: Point): void {
    if (from[1] === to[1]) return;
    const down = from[1] < to[1];
    const [[x0, y0], [x1, y1]] = down ? [from, to] : [to, from];
    const slope = (x1 - x0) / (y1 - y0);
    const end = Math.min(height, y1);
    for (let y = Math.max(0, y0); y < end;) {
      const row = Math.floor(y);
      const nextY = Math.min(row + 1, end);
      const part = down ? nextY - y : y - nextY;
      const x = Math.min(Math.max(x0 + (y - y0) * slope, 0), width);
      const nextX = Math.min(Math.max(x0 + (nextY - y0) * slope, 0), width);
      this.#addPart(row * (width + 2), Math.min(x, nextX), Math.max(x, nextX), part);
      y = nextY;
    }
  }

  /** Adds the part of an edge within a row, from x = `left` to `right` and `height` high (negative: upward). */
  #addPart(row: number, left: number, right: number, height: number): void {
    const edges = this.#edges;
    const first = Math.floor(left);
    const last = Math.floor(right);
    if (first === last) {
      const beyond = height * ((left + right) / 2 - first);
      edges[row + first] += height - beyond;
      edges[row + first + 1] += beyond;
      return;
    }
    // Within each column, the covered area to the right grows like a trapezoid.
    const perColumn = height / (right - left);
    let added = 0;
    let before = 0;
    for (let column = first; column <= last; column++) {
      const from = Math.max(left, column);
      const to = Math.min(right, column + 1);
      const reached = added + perColumn * (to - from);
      const covered = perColumn * (to - from) * (column + 1 - (from + to) / 2) + added;
      edges[row + column] += covered - before;
      before = covered;
      added = reached;
    }
    edges[row + last + 1] += added - before;
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
