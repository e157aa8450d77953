/** Width of the UMAP drawing in units, regardless of its extent. */
const UMAP_UNITS = 1000;

const drawings = new WeakMap<Float32Array, Float32Array>();

/** UMAP positions (x, y pairs) in drawing units, y down as on screen; the same array for the same positions. O(n). */
export function umapDrawing(umap: Float32Array): Float32Array {
  const drawing = drawings.get(umap) ?? drawn(umap);
  drawings.set(umap, drawing);
  return drawing;
}

function drawn(umap: Float32Array): Float32Array {
  let low = Infinity;
  let high = -Infinity;
  for (const value of umap) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const unit = high > low ? UMAP_UNITS / (high - low) : 1;
  return umap.map((value, at) => (at % 2 === 0 ? value * unit : -value * unit));
}
