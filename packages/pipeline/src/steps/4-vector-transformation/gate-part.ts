import { pickRows } from "@stipple/numerics/dense";
import { chooseColumns, transpose } from "@stipple/numerics/sparse";
import { Random } from "@stipple/numerics/random";
import type { GateData } from "./gate.ts";
import { blocksOf, capturedBy, spotsWithCells } from "./part-of-tissue.ts";
import { SAMPLES } from "../../model/limits.ts";

const { GATE_SPOTS: MAX_SPOTS, GATE_PITCHES: SQUARE_PITCHES } = SAMPLES;

/** Randomly samples squares of tissue if there are more spots than a gate needs. Also returns the fraction of spots. */
export function partForGate(
  data: GateData,
  tissue: { spotsXy: { data: ArrayLike<number>; nRows: number }; pitchPx: number },
  { seed, most = MAX_SPOTS }: { seed: number; most?: number },
): { part: GateData; share: number } {
  const filled = spotsWithCells(data.overlap);
  if (filled.length <= most) return { part: data, share: 1 };
  const squares = blocksOf(tissue, filled, SQUARE_PITCHES * tissue.pitchPx);
  const order = Uint32Array.from(squares, (_, i) => i);
  new Random(seed).shuffle(order);
  const spots: number[] = [];
  for (const square of order) {
    if (spots.length + squares[square].length > most) continue;
    for (const spot of squares[square]) spots.push(spot);
  }
  spots.sort((a, b) => a - b);
  const { captured: overlap, cells } = capturedBy(data.overlap, spots);
  const { phi } = data;
  return {
    share: spots.length / filled.length,
    part: {
      phi: { ...phi, data: pickRows(phi.data, phi.nCols, cells) },
      overlap,
      reached: transpose(overlap),
      efficiency: Float32Array.from(spots, (spot) => data.efficiency[spot]),
      byGene: chooseColumns(data.byGene, spots),
    },
  };
}
