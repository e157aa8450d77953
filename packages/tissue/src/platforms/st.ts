import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ST } from "@stipple/contract/platforms/st";
import { Random } from "@stipple/numerics/random";
import { captureInDiscs } from "../capture/disc-capture.ts";
import type { PlatformSimulator } from "./platform-simulator.ts";

/** Rows and columns of the printed array start at about this number. */
const FIRST = 2;

/** The first-generation square array, and the tables that its users have. */
export const stSimulator: PlatformSimulator = {
  // Three times the area of a Visium spot.
  defaults: { umiPerSpot: 18_000 },
  array(map, cells, looks, options) {
    const { pitchUm, spotSizeUm } = ST.array;
    const side = Math.floor((options.sizeUm - 40 - spotSizeUm) / pitchUm) + 1;
    const random = new Random(options.seed + 6 * 2 ** 32);
    const tilt = ((random.uniform() - 0.5) * 2 * Math.PI) / 180;
    const places = Array.from({ length: side * side }, (_, i) => {
      const [row, col] = [Math.floor(i / side), i % side];
      const [u, v] = [(col - (side - 1) / 2) * pitchUm, (row - (side - 1) / 2) * pitchUm];
      const x = options.sizeUm / 2 + u * Math.cos(tilt) - v * Math.sin(tilt);
      const y = options.sizeUm / 2 + u * Math.sin(tilt) + v * Math.cos(tilt);
      return { x, y, row: row + FIRST, col: col + FIRST };
    });
    const cv = options.spotEfficiencyCv;
    const efficiency = Float64Array.from(places, () =>
      cv > 0 ? random.gamma(1 / cv ** 2) * cv ** 2 : 1,
    );
    const array = {
      name: ST.id,
      shape: ST.spotShape,
      sizeUm: spotSizeUm,
      count: places.length,
      barcode: places.map(({ row, col }) => `${col}x${row}`),
      x: Float64Array.from(places, ({ x }) => x),
      y: Float64Array.from(places, ({ y }) => y),
      arrayRow: Int32Array.from(places, ({ row }) => row),
      arrayCol: Int32Array.from(places, ({ col }) => col),
      inTissue: Uint8Array.from(places, ({ x, y }) => Number(map.tissue.at(x, y) > 0)),
    };
    return { ...array, capture: captureInDiscs(array, efficiency, cells, looks, options) };
  },
  async writeCounts(out, { array, counts }, genes) {
    const lines = [["", ...genes.map(({ symbol }) => symbol)].join("\t")];
    let [nSpots, totalCounts] = [0, 0];
    for (let spot = 0; spot < array.count; spot++) {
      const row = new Array<number>(genes.length).fill(0);
      for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
        row[counts.indices[k]] = counts.data[k]!;
      }
      lines.push([array.barcode[spot], ...row].join("\t"));
      if (array.inTissue[spot] === 0) continue;
      nSpots++;
      totalCounts += row.reduce((sum, count) => sum + count, 0);
    }
    await writeFile(join(out, "counts.tsv.gz"), await promisify(gzip)(`${lines.join("\n")}\n`));
    return { nSpots, totalCounts };
  },
  async writePositions(out, array, _raster, { umPerPx }) {
    const lines = array.barcode.map((_, spot) => {
      const [x, y] = [array.x[spot] / umPerPx, array.y[spot] / umPerPx];
      const [col, row] = [array.arrayCol[spot], array.arrayRow[spot]];
      return [col, row, col, row, x.toFixed(1), y.toFixed(1), array.inTissue[spot]].join("\t");
    });
    await writeFile(
      join(out, "spot_coordinates.tsv"),
      `x\ty\tnew_x\tnew_y\tpixel_x\tpixel_y\tselected\n${lines.join("\n")}\n`,
    );
  },
};
