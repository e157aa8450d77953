/**
 * Fills the holes of a mask in place: 4-connected regions of 0 with at most `maxArea` pixels that do not reach the
 * image border. Works on runs of 0 in each row, merged with those they touch in the row above. O(pixels).
 */
export function fillHoles(mask: Uint8Array, width: number, maxArea: number): void {
  const height = mask.length / width;
  const starts: number[] = [];
  const ends: number[] = [];
  const up: number[] = [];
  const area: number[] = [];
  const find = (run: number): number => {
    while (up[run] !== run) {
      up[run] = up[up[run]];
      run = up[run];
    }
    return run;
  };
  let above = 0;
  let aboveEnd = 0;
  for (let y = 0; y < height; y++) {
    const first = starts.length;
    const row = y * width;
    for (let x = 0; x < width; x++) {
      if (mask[row + x]) continue;
      const start = x;
      while (x < width && mask[row + x] === 0) x++;
      const run = starts.length;
      starts.push(row + start);
      ends.push(row + x);
      up.push(run);
      const open = y === 0 || y === height - 1 || start === 0 || x === width;
      area.push(open ? Infinity : x - start);
      while (above < aboveEnd && ends[above] - row + width <= start) above++;
      for (let k = above; k < aboveEnd && starts[k] - row + width < x; k++) {
        const other = find(k);
        const own = find(run);
        if (other === own) continue;
        up[own] = other;
        area[other] += area[own];
      }
    }
    above = first;
    aboveEnd = starts.length;
  }
  for (let run = 0; run < starts.length; run++) {
    if (area[find(run)] <= maxArea) mask.fill(1, starts[run], ends[run]);
  }
}
