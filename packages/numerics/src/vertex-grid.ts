/** Vertices by position, to check whether any lies between a stretch of border and the line that would replace it. */
export class VertexGrid {
  readonly #xy: Float32Array;
  readonly #left: number;
  readonly #top: number;
  readonly #step: number;
  readonly #columns: number;
  readonly #rows: number;
  /** Vertices of square s: #vertices from #starts[s] to #starts[s + 1]. */
  readonly #starts: Int32Array;
  readonly #vertices: Int32Array;
  readonly #own: Int32Array;
  #question = 0;

  constructor(xy: Float32Array) {
    const n = xy.length / 2;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let v = 0; v < n; v++) {
      left = Math.min(left, xy[2 * v]);
      right = Math.max(right, xy[2 * v]);
      top = Math.min(top, xy[2 * v + 1]);
      bottom = Math.max(bottom, xy[2 * v + 1]);
    }
    if (n === 0) [left, top, right, bottom] = [0, 0, 1, 1];
    this.#xy = xy;
    this.#left = left;
    this.#top = top;
    // About two vertices per square.
    this.#step = Math.max(
      1e-6,
      Math.sqrt((2 * (right - left + 1) * (bottom - top + 1)) / Math.max(1, n)),
    );
    this.#columns = Math.floor((right - left) / this.#step) + 1;
    this.#rows = Math.floor((bottom - top) / this.#step) + 1;
    const squares = new Int32Array(n);
    const starts = new Int32Array(this.#columns * this.#rows + 1);
    for (let v = 0; v < n; v++) {
      squares[v] = this.#row(xy[2 * v + 1]) * this.#columns + this.#column(xy[2 * v]);
      starts[squares[v] + 1] += 1;
    }
    for (let s = 1; s < starts.length; s++) starts[s] += starts[s - 1];
    const next = starts.slice();
    const vertices = new Int32Array(n);
    for (let v = 0; v < n; v++) vertices[next[squares[v]]++] = v;
    this.#starts = starts;
    this.#vertices = vertices;
    this.#own = new Int32Array(n);
  }

  /**
   * Whether a vertex that is not part of the stretch lies between the stretch and the segment that joins its ends, or
   * on that segment. `width` = how far the stretch strays from the segment.
   */
  anyBetween(stretch: Int32Array, width: number): boolean {
    const xy = this.#xy;
    const question = ++this.#question;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < stretch.length; i++) {
      const v = stretch[i];
      this.#own[v] = question;
      left = Math.min(left, xy[2 * v]);
      right = Math.max(right, xy[2 * v]);
      top = Math.min(top, xy[2 * v + 1]);
      bottom = Math.max(bottom, xy[2 * v + 1]);
    }
    const a = stretch[0];
    const b = stretch[stretch.length - 1];
    const dx = xy[2 * b] - xy[2 * a];
    const dy = xy[2 * b + 1] - xy[2 * a + 1];
    const reach = width * Math.hypot(dx, dy) * (1 + 1e-9);
    const lastRow = this.#row(bottom);
    for (let row = this.#row(top); row <= lastRow; row++) {
      const from = this.#starts[row * this.#columns + this.#column(left)];
      const to = this.#starts[row * this.#columns + this.#column(right) + 1];
      for (let k = from; k < to; k++) {
        const v = this.#vertices[k];
        if (this.#own[v] === question) continue;
        const px = xy[2 * v];
        const py = xy[2 * v + 1];
        if (px < left || px > right || py < top || py > bottom) continue;
        const side = dx * (py - xy[2 * a + 1]) - dy * (px - xy[2 * a]);
        if (Math.abs(side) > reach) continue;
        if (side === 0 || this.#encloses(stretch, px, py)) return true;
      }
    }
    return false;
  }

  /** Even–odd rule, for the stretch closed by its segment. */
  #encloses(stretch: Int32Array, px: number, py: number): boolean {
    const xy = this.#xy;
    let inside = false;
    for (let i = 0, j = stretch.length - 1; i < stretch.length; j = i++) {
      const x0 = xy[2 * stretch[j]];
      const y0 = xy[2 * stretch[j] + 1];
      const x1 = xy[2 * stretch[i]];
      const y1 = xy[2 * stretch[i] + 1];
      if (y0 > py !== y1 > py && px < x0 + ((py - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
    }
    return inside;
  }

  #column(x: number): number {
    return Math.floor((x - this.#left) / this.#step);
  }

  #row(y: number): number {
    return Math.floor((y - this.#top) / this.#step);
  }
}
