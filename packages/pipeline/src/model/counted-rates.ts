import { RATE_SOURCES } from "@stipple/contract";
import { spotReader } from "./kept-rows.ts";
import type { RowFactors } from "./rates.ts";
import { scalesOf } from "./smoothed-rates.ts";

const MODEL = RATE_SOURCES.indexOf("model");
const SPOT = RATE_SOURCES.indexOf("spot");

/** The nonzero rates of some cells. */
export interface CountedRates {
  /** Entries per cell. */
  lengths: Uint32Array;
  /** Genes, ascending within a cell. */
  indices: Int32Array;
  rates: Float32Array;
}

/**
 * The rates of cells from … to − 1 if those of all genes have one source other than the model: they are then 0 wherever
 * nothing was counted around a cell, so only the counts are visited. Identical bit for bit to `rows` of rates.ts. Null for
 * other sources; the returned function gives null if a cell has no spot within reach and so keeps the model's rates. Its
 * result is in memory that the next call reuses. O(counts around a cell + genes / 32).
 */
export function openCountedRates(
  factors: RowFactors,
): ((from: number, to: number) => CountedRates | null) | null {
  const { source, nearSpot, nearWeight, profile } = factors;
  const [only] = source;
  if (only === MODEL || source.some((other) => other !== only)) return null;
  const isOfSpot = only === SPOT;
  const nGenes = profile.nCols;
  const width = nearSpot.nCols;
  const { ofAll, ofNearest } = scalesOf(factors);
  const readSpot = spotReader(factors.spotCounts);
  const around = new Float32Array(nGenes);
  /** One bit per gene: whether anything was counted around the cell. */
  const seen = new Int32Array(Math.ceil(nGenes / 32));
  let room = { indices: new Int32Array(0), rates: new Float32Array(0) };

  function gather(cell: number): void {
    const first = cell * width;
    for (let i = first; i < first + (isOfSpot ? 1 : width); i++) {
      const s = nearSpot.data[i];
      const w = isOfSpot ? 1 : nearWeight.data[i];
      if (s < 0 || w === 0) continue;
      const { indices, data } = readSpot(s);
      for (let e = 0; e < indices.length; e++) {
        const gene = indices[e];
        around[gene] += w * data[e];
        seen[gene >>> 5] |= 1 << (gene & 31);
      }
    }
  }

  return (from, to) => {
    for (let cell = from; cell < to; cell++) if (ofAll[cell] === 0) return null;
    const most = (to - from) * nGenes;
    if (room.indices.length < most) {
      room = { indices: new Int32Array(most), rates: new Float32Array(most) };
    }
    const { indices, rates } = room;
    const lengths = new Uint32Array(to - from);
    let n = 0;
    for (let cell = from; cell < to; cell++) {
      const start = n;
      const scale = (isOfSpot ? ofNearest : ofAll)[cell];
      gather(cell);
      for (let word = 0; word < seen.length; word++) {
        let bits = seen[word];
        seen[word] = 0;
        while (bits !== 0) {
          const gene = 32 * word + 31 - Math.clz32(bits & -bits);
          bits &= bits - 1;
          indices[n] = gene;
          rates[n] = around[gene] * scale;
          around[gene] = 0;
          // Rates rounded to 0, or with weight 0, are not stored.
          if (rates[n] > 0) n++;
        }
      }
      lengths[cell - from] = n - start;
    }
    return { lengths, indices, rates };
  };
}
