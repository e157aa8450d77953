/** Sizes and moments of labeled objects, by label. Index 0 is empty except in `cellArea`, which counts background. */
export interface LabelMoments {
  /** Pixels of the nucleus, and of the whole cell. */
  area: Float64Array;
  cellArea: Float64Array;
  /** First pixel of the nucleus; −1 = none. */
  firstX: Int32Array;
  firstY: Int32Array;
  /** Sums of positions relative to the nucleus's first pixel, so that rounding does not depend on the tile's origin. */
  sumU: Float64Array;
  sumV: Float64Array;
  sumUU: Float64Array;
  sumVV: Float64Array;
  sumUV: Float64Array;
}

/** Moments of nuclei 1 … count and areas of their cells. O(pixels). */
export function labelMoments(
  nuclei: Int32Array,
  cells: Int32Array,
  count: number,
  { width, height }: { width: number; height: number },
): LabelMoments {
  const make = (): Float64Array => new Float64Array(count + 1);
  const moments: LabelMoments = {
    area: make(),
    cellArea: make(),
    firstX: new Int32Array(count + 1).fill(-1),
    firstY: new Int32Array(count + 1),
    sumU: make(),
    sumV: make(),
    sumUU: make(),
    sumVV: make(),
    sumUV: make(),
  };
  for (let y = 0; y < height; y++) addRow(moments, nuclei, cells, width, y);
  return moments;
}

/** One row at a time: see `inStretches`. */
function addRow(
  { area, cellArea, firstX, firstY, sumU, sumV, sumUU, sumVV, sumUV }: LabelMoments,
  nuclei: Int32Array,
  cells: Int32Array,
  width: number,
  y: number,
): void {
  for (let x = 0, p = y * width; x < width; x++, p++) {
    cellArea[cells[p]]++;
    const k = nuclei[p];
    if (k === 0) continue;
    if (firstX[k] < 0) {
      firstX[k] = x;
      firstY[k] = y;
    }
    const u = x - firstX[k];
    const v = y - firstY[k];
    area[k]++;
    sumU[k] += u;
    sumV[k] += v;
    sumUU[k] += u * u;
    sumVV[k] += v * v;
    sumUV[k] += u * v;
  }
}
