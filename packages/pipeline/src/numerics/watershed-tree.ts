/**
 * Watershed of the hills of a landscape inside a mask, and the order in which the hills join as the water level falls.
 *
 * Leaves 0 … nLeaves − 1 are the basins (one per maximum that stands at least `minDepth` above its pass to a higher
 * one); node k ≥ nLeaves is the union of children[2(k − nLeaves)] and children[2(k − nLeaves) + 1]. Parents follow
 * children.
 */
export interface WatershedTree {
  nLeaves: number;
  count: number;
  /** Basin of each pixel, or -1 outside the mask. */
  labels: Int32Array;
  children: Int32Array;
  parent: Int32Array;
  /** Height of the highest maximum of a node. */
  peak: Float32Array;
  /** Height of the pass at which a joined node's children meet; its own peak for a leaf. */
  pass: Float32Array;
}

/** Heights are resolved to 1/8192; heights of 8 or more count as equal. */
const STEPS_PER_UNIT = 8192;

/** Pixel indices of the mask by descending height; ties stay in raster order. O(pixels). */
function fallingOrder(heights: Float32Array, mask: Uint8Array): Int32Array {
  const starts = new Int32Array(65_537);
  let n = 0;
  // A fixed step, not one derived from the data's range: a tile's result must not depend on what else the tile
  // contains.
  const key = (i: number): number =>
    65_535 - Math.max(0, Math.min(65_535, Math.round(heights[i] * STEPS_PER_UNIT)));
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 0) continue;
    n++;
    starts[key(i) + 1]++;
  }
  for (let k = 1; k <= 65_536; k++) starts[k] += starts[k - 1];
  const order = new Int32Array(n);
  for (let i = 0; i < mask.length; i++) if (mask[i]) order[starts[key(i)]++] = i;
  return order;
}

/**
 * Floods the mask from its maxima downwards (8-neighborhood). Two hills whose pass lies less than `minDepth` below the
 * lower peak are one basin from the start (h-maxima). Unions of more than `maxArea` pixels are not formed, and neither
 * of their parts is joined to anything else. O(pixels · α + joins · tree height).
 */
export function watershedTree(
  heights: Float32Array,
  mask: Uint8Array,
  width: number,
  height: number,
  limits: { minDepth: number; maxArea: number },
): WatershedTree {
  const { minDepth, maxArea } = limits;
  const order = fallingOrder(heights, mask);
  const labels = new Int32Array(mask.length).fill(-1);
  // Raw basins (every maximum), merged by union–find as soon as they turn out to be too shallow.
  const same: number[] = [];
  const peaks: number[] = [];
  // Joins of raw basins, highest pass first.
  const joins: { a: number; b: number; pass: number }[] = [];
  const basin = (b: number): number => {
    while (same[b] !== b) {
      same[b] = same[same[b]];
      b = same[b];
    }
    return b;
  };
  const hill: number[] = [];
  const hillPeak: number[] = [];
  const hillOf = (b: number): number => {
    while (hill[b] !== b) {
      hill[b] = hill[hill[b]];
      b = hill[b];
    }
    return b;
  };
  const dx = [-1, 1, 0, 0, -1, 1, -1, 1];
  const dy = [0, 0, -1, 1, -1, -1, 1, 1];
  for (const p of order) {
    const y = (p / width) | 0;
    const x = p - y * width;
    let best = -1;
    let bestHeight = -Infinity;
    for (let side = 0; side < 8; side++) {
      const u = x + dx[side];
      const v = y + dy[side];
      if (u < 0 || v < 0 || u >= width || v >= height) continue;
      const q = v * width + u;
      if (labels[q] < 0) continue;
      if (heights[q] > bestHeight) {
        best = labels[q];
        bestHeight = heights[q];
      }
    }
    if (best < 0) {
      labels[p] = same.length;
      hill.push(same.length);
      hillPeak.push(heights[p]);
      peaks.push(heights[p]);
      same.push(same.length);
      continue;
    }
    labels[p] = best;
    for (let side = 0; side < 8; side++) {
      const u = x + dx[side];
      const v = y + dy[side];
      if (u < 0 || v < 0 || u >= width || v >= height) continue;
      const other = labels[v * width + u];
      if (other < 0 || other === best) continue;
      const a = hillOf(best);
      const b = hillOf(other);
      if (a === b) continue;
      const [keep, gone] = hillPeak[a] >= hillPeak[b] ? [a, b] : [b, a];
      if (hillPeak[gone] - heights[p] < minDepth) {
        // The lower hill is just a bump: it belongs to the basin it touches here.
        const near = basin(keep === a ? best : other);
        same[basin(gone)] = near;
      } else {
        joins.push({ a: keep, b: gone, pass: heights[p] });
      }
      hill[gone] = keep;
    }
  }
  return assemble(labels, same, basin, peaks, joins, maxArea);
}

function assemble(
  labels: Int32Array,
  same: number[],
  basin: (b: number) => number,
  peaks: number[],
  joins: { a: number; b: number; pass: number }[],
  maxArea: number,
): WatershedTree {
  const leaf = new Int32Array(same.length).fill(-1);
  let nLeaves = 0;
  for (let b = 0; b < same.length; b++) if (basin(b) === b) leaf[b] = nLeaves++;
  const count = nLeaves + joins.length;
  const peak = new Float32Array(count);
  const pass = new Float32Array(count);
  for (let b = 0; b < same.length; b++) {
    const own = leaf[basin(b)];
    leaf[b] = own;
    if (peaks[b] > peak[own]) peak[own] = peaks[b];
  }
  pass.set(peak.subarray(0, nLeaves));
  const area = new Float64Array(count);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] < 0) continue;
    labels[i] = leaf[labels[i]];
    area[labels[i]]++;
  }
  const closed = new Uint8Array(count);
  const parent = new Int32Array(count).fill(-1);
  const children = new Int32Array(2 * joins.length);
  const top = (node: number): number => {
    while (parent[node] >= 0) node = parent[node];
    return node;
  };
  let next = nLeaves;
  for (const join of joins) {
    const a = top(leaf[join.a]);
    const b = top(leaf[join.b]);
    if (a === b) continue;
    if (closed[a] || closed[b] || area[a] + area[b] > maxArea) {
      closed[a] = 1;
      closed[b] = 1;
      continue;
    }
    area[next] = area[a] + area[b];
    children[2 * (next - nLeaves)] = a;
    children[2 * (next - nLeaves) + 1] = b;
    peak[next] = Math.max(peak[a], peak[b]);
    pass[next] = join.pass;
    parent[a] = next;
    parent[b] = next;
    next++;
  }
  return {
    nLeaves,
    count: next,
    labels,
    children: children.subarray(0, 2 * (next - nLeaves)),
    parent: parent.subarray(0, next),
    peak: peak.subarray(0, next),
    pass: pass.subarray(0, next),
  };
}
