/** Points of a study's joint space as the pages draw them: positions on a square, clusters, and types. */
export interface StudyPoints {
  /** x and y of each point, 0 to 65535. */
  before: Uint16Array;
  after: Uint16Array;
  /** Joint cluster. */
  cluster: Uint16Array;
  /** Index into the types; {@link NO_TYPE} where there is none. */
  type: Uint16Array;
}

export const NO_TYPE = 65_535;
const NUMBERS = 6;

/** Twelve bytes per point, little-endian: both positions, the clusters, and the types of all points one after the other. */
export function packPoints({ before, after, cluster, type }: StudyPoints): Uint8Array<ArrayBuffer> {
  const n = cluster.length;
  const packed = new Uint16Array(NUMBERS * n);
  packed.set(before, 0);
  packed.set(after, 2 * n);
  packed.set(cluster, 4 * n);
  packed.set(type, 5 * n);
  return new Uint8Array(packed.buffer);
}

/** The points that {@link packPoints} packed. Throws if bytes are missing. */
export function unpackPoints(bytes: ArrayBuffer): StudyPoints {
  if (bytes.byteLength % (2 * NUMBERS) !== 0) throw new Error("The points are incomplete.");
  const packed = new Uint16Array(bytes);
  const n = packed.length / NUMBERS;
  return {
    before: packed.subarray(0, 2 * n),
    after: packed.subarray(2 * n, 4 * n),
    cluster: packed.subarray(4 * n, 5 * n),
    type: packed.subarray(5 * n),
  };
}
