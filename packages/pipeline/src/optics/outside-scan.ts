/** A smaller share of the view than this is a dark or bright spot, not a region that was not scanned. */
const MIN_SHARE = 0.002;
/** Darkest and lightest color that padding keeps through JPEG compression. */
const BLACK = 3;
/** An edge of padding is straight over at least this share of the view's side, and this many pixels. */
const STRAIGHT_SHARE = 0.05;
const STRAIGHT_PX = 8;
/** Share of an area's edge that must be straight. */
const MOSTLY = 0.8;

/**
 * Areas of a color view that a scanner filled in: flat black, or flat white (255) if there is other background. Neither
 * tissue nor ink nor glass. 1 = outside the scan; null if there are none, or nothing else. `rgb`: interleaved. A rim of
 * one pixel, mixed by the reduction, is included. With `onlyStraight`, black areas without straight edges do not count:
 * they may be the ground of a fluorescence image. O(pixels).
 */
export function outsideOfColors(
  rgb: Uint8Array,
  width: number,
  height: number,
  { onlyStraight = false } = {},
): Uint8Array | null {
  const flat = new Uint8Array(width * height);
  for (let i = 0; i < flat.length; i++) {
    const [r, g, b] = [rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]];
    if (Math.max(r, g, b) <= BLACK) flat[i] = 1;
    else if (Math.min(r, g, b) === 255) flat[i] = 2;
  }
  return outside(flat, width, height, { white: true, black: onlyStraight });
}

/**
 * What a scanner filled in, for channels of fluorescence, where every channel is 0 or at its full scale. Background may be 0 as well, so
 * only areas with straight edges count.
 */
export function outsideOfChannels(
  channels: readonly Uint16Array[],
  width: number,
  height: number,
  fullScale: number,
): Uint8Array | null {
  const flat = new Uint8Array(width * height);
  for (let i = 0; i < flat.length; i++) {
    if (channels.every((channel) => channel[i] === 0)) flat[i] = 1;
    else if (channels.every((channel) => channel[i] === fullScale)) flat[i] = 2;
  }
  return outside(flat, width, height, { white: true, black: true });
}

/** The colors of the pixels that were scanned. */
export function insideOf(rgb: Uint8Array, outside: Uint8Array): Uint8Array {
  const inside = new Uint8Array(rgb.length);
  let n = 0;
  for (let i = 0; i < outside.length; i++) {
    if (outside[i]) continue;
    for (let c = 0; c < 3; c++) inside[n++] = rgb[3 * i + c]!;
  }
  return inside.subarray(0, n);
}

/** `flat`: 1 = black, 2 = white. `straight`: which of them need straight edges. */
function outside(
  flat: Uint8Array,
  width: number,
  height: number,
  straight: { white: boolean; black: boolean },
): Uint8Array | null {
  const found = new Uint8Array(flat.length);
  const seen = new Uint8Array(flat.length);
  const queue = new Uint32Array(flat.length);
  let total = 0;
  for (let start = 0; start < flat.length; start++) {
    const value = flat[start];
    if (value === 0 || seen[start]) continue;
    const size = floodFrom(start, flat, seen, queue, width);
    if (size < MIN_SHARE * flat.length) continue;
    const area = queue.subarray(0, size);
    const mustBeStraight = value === 1 ? straight.black : straight.white;
    if (mustBeStraight && !hasStraightEdges(area, flat, width, height)) continue;
    for (const at of area) found[at] = 1;
    total += size;
  }
  if (total === 0 || total > flat.length * (1 - MIN_SHARE)) return null;
  return withRim(found, width, height);
}

/** Collects the 4-connected pixels of one value in `queue`; returns their number. */
export function floodFrom(
  start: number,
  flat: Uint8Array,
  seen: Uint8Array,
  queue: Uint32Array,
  width: number,
): number {
  const value = flat[start];
  let [head, tail] = [0, 0];
  const visit = (next: number): void => {
    if (seen[next] || flat[next] !== value) return;
    seen[next] = 1;
    queue[tail++] = next;
  };
  visit(start);
  while (head < tail) {
    const at = queue[head++];
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at + width < flat.length) visit(at + width);
  }
  return tail;
}

/** Whether an area's edges inside the view run mostly along rows and columns, as those of scanned fields do. */
function hasStraightEdges(
  area: Uint32Array,
  flat: Uint8Array,
  width: number,
  height: number,
): boolean {
  const value = flat[area[0]];
  let [edges, straight] = [0, 0];
  // Edges toward one side, by line; a run of neighbors along the line is one straight piece.
  const add = (lines: Map<number, number[]>, least: number): void => {
    for (const places of lines.values()) {
      places.sort((a, b) => a - b);
      let from = 0;
      for (let i = 1; i <= places.length; i++) {
        if (i < places.length && places[i] === places[i - 1] + 1) continue;
        edges += i - from;
        if (i - from >= least) straight += i - from;
        from = i;
      }
    }
  };
  const least = (side: number): number => Math.max(STRAIGHT_PX, STRAIGHT_SHARE * side);
  for (const [dx, dy] of [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ] as const) {
    const lines = new Map<number, number[]>();
    for (const at of area) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const [u, v] = [x + dx, y + dy];
      if (u < 0 || v < 0 || u >= width || v >= height || flat[v * width + u] === value) continue;
      const [line, place] = dx === 0 ? [y, x] : [x, y];
      const places = lines.get(line);
      if (places) places.push(place);
      else lines.set(line, [place]);
    }
    add(lines, least(dx === 0 ? width : height));
  }
  return edges > 0 && straight >= MOSTLY * edges;
}

function withRim(area: Uint8Array, width: number, height: number): Uint8Array {
  const out = area.slice();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!area[y * width + x]) continue;
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          out[v * width + u] = 1;
        }
      }
    }
  }
  return out;
}
