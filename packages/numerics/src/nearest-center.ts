/**
 * Index of the center (rows of `centers`) nearest to the point at `data[at]`, the first of equally near ones; −1 if no
 * distance is a number. Called constantly, so that V8 keeps its compiled code. Stops summing once a center
 * is farther than the nearest so far.
 */
export function nearestCenter(
  data: Float32Array,
  at: number,
  centers: Float64Array,
  nCols: number,
): number {
  let nearest = -1;
  let best = Number.POSITIVE_INFINITY;
  for (let from = 0; from < centers.length; from += nCols) {
    let distance = 0;
    for (let k = 0; k < nCols && distance < best; k++) {
      const along = data[at + k] - centers[from + k];
      distance += along * along;
    }
    if (distance < best) {
      best = distance;
      nearest = from / nCols;
    }
  }
  return nearest;
}
