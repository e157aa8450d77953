import type { ViewerColumn, ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { ViewSource } from "@stipple/viewer/source";

/** A tissue of 800 × 800 px (800 µm): 20 × 20 square cells of 16 µm, red in the left half and blue in the right. */
const SIDE_PX = 800;
const ACROSS = 20;
const PITCH_PX = SIDE_PX / ACROSS;
const HALF_PX = 8;
const N = ACROSS * ACROSS;
const TILE_PX = 256;
const TISSUE = "#00aa44";

const centers = Float32Array.from(
  { length: 2 * N },
  (_, i) =>
    (((i >> 1) % ACROSS) * (1 - (i % 2)) + Math.floor((i >> 1) / ACROSS) * (i % 2) + 0.5) *
    PITCH_PX,
);
const isLeft = (cell: number) => cell % ACROSS < ACROSS / 2;

/** Every cell in one tile of outlines: n, cells, first corners, then x, y of four corners each. */
function outlines(): ArrayBuffer {
  const bytes = new ArrayBuffer(4 * (1 + N + (N + 1) + 8 * N));
  const words = new Uint32Array(bytes);
  const places = new Float32Array(bytes);
  words[0] = N;
  for (let cell = 0; cell <= N; cell++) {
    if (cell < N) words[1 + cell] = cell;
    words[1 + N + cell] = 4 * cell;
  }
  for (let at = 0; at < 8 * N; at++) {
    const [cell, corner, axis] = [at >> 3, (at >> 1) & 3, at & 1];
    const side = axis === 0 ? (corner === 1 || corner === 2 ? 1 : -1) : corner < 2 ? -1 : 1;
    places[2 + 2 * N + at] = centers[2 * cell + axis]! + side * HALF_PX;
  }
  return bytes;
}

const COLUMNS: Partial<
  Record<ViewerColumn, () => Float32Array | Uint32Array | Uint16Array | Uint8Array>
> = {
  "cells.xy": () => centers.slice(),
  "cells.umap": () => centers.slice(),
  "cells.type": () => Uint16Array.from({ length: N }, (_, cell) => (isLeft(cell) ? 0 : 1)),
  "cells.cluster": () => new Uint16Array(N),
  "cells.observed": () => new Uint8Array(N).fill(1),
  "polygons.offsets": () => Uint32Array.of(0, outlines().byteLength),
  // Nuclei are as large as their cells.
  "nuclei.offsets": () => Uint32Array.of(0, outlines().byteLength),
};

const manifest: ViewerManifest = {
  version: 2,
  widthPx: SIDE_PX,
  heightPx: SIDE_PX,
  micronsPerPixel: 1,
  nCells: N,
  nSpots: 0,
  spotRadiusPx: 55,
  binSidePx: null,
  binAngle: 0,
  types: [
    { name: "left", color: "#ff0000", count: N / 2 },
    { name: "right", color: "#0000ff", count: N / 2 },
  ],
  clusters: [{ name: "0", color: "#888888", count: N }],
  domains: [],
  spotClusters: [],
  genes: [],
  tissue: {
    tileSize: TILE_PX,
    overlap: 0,
    format: "png",
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    scale: 1,
  },
  channels: null,
  polygonTiles: { file: "polygons.bin", tileSidePx: SIDE_PX, columns: 1, rows: 1 },
  columns: {},
};

export interface SyntheticView extends ViewSource {
  /** Tiles fail while this is set. */
  isOffline: boolean;
  /** Paths of tiles asked for. */
  readonly asked: string[];
}

/** A view without a server or files. */
export function syntheticView(): SyntheticView {
  const asked: string[] = [];
  const source: SyntheticView = {
    isOffline: false,
    asked,
    manifest,
    async column(name) {
      const column = COLUMNS[name as ViewerColumn];
      if (!column) throw new Error(`This view has no column ${name}.`);
      return column();
    },
    async tile(path) {
      asked.push(path);
      if (source.isOffline) throw new Error("offline");
      const canvas = new OffscreenCanvas(TILE_PX, TILE_PX);
      const context = canvas.getContext("2d")!;
      context.fillStyle = TISSUE;
      context.fillRect(0, 0, TILE_PX, TILE_PX);
      return createImageBitmap(canvas);
    },
    range: async (_path, from, to) => outlines().slice(from, to),
    file: async () => undefined,
  };
  return source;
}
