import { Random } from "@stipple/numerics/random";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { CellKind } from "../catalog/tissue-plan.ts";
import type { TissueOptions } from "../options.ts";
import type { CaptureArray } from "./capture-array.ts";
import { captureInDiscs } from "./disc-capture.ts";

const PITCH_UM = 100;
const SPOT_DIAMETER_UM = 55;

/** A hexagonal array (100 µm pitch) over the image, rotated by up to one degree as on a real slide. */
export function visiumArray(
  map: TissueMap,
  cells: Cells,
  looks: readonly CellKind[],
  options: TissueOptions,
): CaptureArray {
  const { sizeUm, seed, spotEfficiencyCv } = options;
  const random = new Random(seed + 6 * 2 ** 32);
  const tilt = ((random.uniform() - 0.5) * 2 * Math.PI) / 180;
  const shift = [random.uniform() * 20 - 10, random.uniform() * 20 - 10] as const;
  const rowUm = (PITCH_UM * Math.sqrt(3)) / 2;
  const rows = Math.floor((sizeUm - 40) / rowUm);
  const columns = Math.floor((sizeUm - 40) / PITCH_UM);
  const middle = sizeUm / 2;
  const places: { x: number; y: number; row: number; col: number }[] = [];
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < columns; i++) {
      const u = (i + (row % 2) / 2 - columns / 2 + 0.25) * PITCH_UM;
      const v = (row - (rows - 1) / 2) * rowUm;
      const x = middle + u * Math.cos(tilt) - v * Math.sin(tilt) + shift[0];
      const y = middle + u * Math.sin(tilt) + v * Math.cos(tilt) + shift[1];
      places.push({ x, y, row, col: 2 * i + (row % 2) });
    }
  }
  const barcodes = new Set<string>();
  while (barcodes.size < places.length) {
    let barcode = "";
    for (let i = 0; i < 16; i++) barcode += "ACGT"[random.below(4)];
    barcodes.add(`${barcode}-1`);
  }
  const shape = spotEfficiencyCv > 0 ? 1 / spotEfficiencyCv ** 2 : 0;
  const array = {
    name: "visium",
    shape: "disc" as const,
    sizeUm: SPOT_DIAMETER_UM,
    count: places.length,
    barcode: [...barcodes],
    x: Float64Array.from(places, (place) => place.x),
    y: Float64Array.from(places, (place) => place.y),
    arrayRow: Int32Array.from(places, (place) => place.row),
    arrayCol: Int32Array.from(places, (place) => place.col),
    inTissue: Uint8Array.from(places, (place) => (map.tissue.at(place.x, place.y) > 0 ? 1 : 0)),
  };
  const efficiency = Float64Array.from(places, () => (shape > 0 ? random.gamma(shape) / shape : 1));
  return { ...array, capture: captureInDiscs(array, efficiency, cells, looks, options) };
}
