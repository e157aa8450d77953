/** Arrays of `length` dots. Reuse the object (and its parts) while nothing changes: a new object is uploaded again. */
export interface DotData {
  length: number;
  attributes: {
    /** x, y in the units of an orthographic view with y down. */
    getPosition: { value: Float32Array; size: 2 };
    /** Red, green, blue, alpha; alpha 0 is not drawn. */
    getColor: { value: Uint8Array; size: 4; normalized: true };
  };
}

export function dotData(xy: Float32Array, rgba: Uint8Array): DotData {
  return {
    length: xy.length / 2,
    attributes: {
      getPosition: { value: xy, size: 2 },
      getColor: { value: rgba, size: 4, normalized: true },
    },
  };
}

/** Arrays that draw some of the points as large dots: six vertices each. */
export function largeDots(chosen: Uint32Array, positions: Float32Array, rgba: Uint8Array): DotData {
  const xy = new Float32Array(12 * chosen.length);
  const colors = new Uint8Array(24 * chosen.length);
  chosen.forEach((point, at) => {
    const place = positions.subarray(2 * point, 2 * point + 2);
    const color = rgba.subarray(4 * point, 4 * point + 4);
    for (let corner = 6 * at; corner < 6 * at + 6; corner++) {
      xy.set(place, 2 * corner);
      colors.set(color, 4 * corner);
    }
  });
  return dotData(xy, colors);
}
