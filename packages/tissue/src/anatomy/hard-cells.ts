import type { CellKind } from "../catalog/tissue-plan.ts";
import { noiseHash } from "./noise-hash.ts";
import { Noise, smoothstep } from "./noise.ts";

/**
 * What makes individual nuclei hard to see, derived from the seed and `imageDifficulty`; at 0 nothing changes.
 */
export interface CellDifficulty {
  /** Local factor on cell density: clumps and gaps. */
  density(x: number, y: number): number;
  /**
   * Share of its area by which a nucleus may overlap others at this position, because sections are thicker than
   * nuclei.
   */
  overlap(x: number, y: number): number;
  /** Standard deviation of the log elongation. */
  elongationSpread: number;
  /** A kind with the variability of real tissue. */
  look(kind: CellKind): CellKind;
  /** How visible a nucleus is. */
  visible(cell: number): Visible;
}

export interface Visible {
  /** Factor on the stain. */
  stain: number;
  /** How empty the center of the nucleus is, beyond its kind's look: 1 = little more than a membrane. */
  emptiness: number;
  /** How far it is out of focus: edge width beyond that of the optics, µm. */
  softUm: number;
}

const OVERLAP = 0.1;
const CLUMP_UM = 30;

export function cellDifficulty(seed: number, difficulty: number): CellDifficulty {
  const clumps = new Noise(seed, 8);
  const dense = (x: number, y: number): number => clumps.fractal(x / CLUMP_UM, y / CLUMP_UM, 2);
  return {
    density: (x, y) => (difficulty === 0 ? 1 : Math.exp(0.9 * difficulty * dense(x, y))),
    overlap: (x, y) =>
      difficulty === 0
        ? OVERLAP
        : OVERLAP + 0.3 * difficulty * smoothstep(-0.2, 0.8, dense(x + 511, y)),
    elongationSpread: 0.25 + 0.05 * difficulty,
    look: (kind) =>
      difficulty === 0
        ? kind
        : {
            ...kind,
            areaCv: Math.hypot(kind.areaCv, 0.2 * difficulty),
            irregularity: kind.irregularity + 0.05 * difficulty,
          },
    visible: (cell) => {
      if (difficulty === 0) return { stain: 1, emptiness: 0, softUm: 0 };
      // A separate random number for each property makes drawing order irrelevant.
      const draw = (stream: number): number =>
        noiseHash(Math.imul(cell, 8) + stream + seed * 31) / 2 ** 32;
      const pale = draw(0) < 0.18 ? draw(1) : 0;
      return {
        stain: 1 - difficulty * 0.5 * pale,
        emptiness: draw(2) < 0.3 ? Math.min(1, difficulty * draw(3)) : 0,
        softUm: difficulty * 0.6 * draw(4) ** 2,
      };
    },
  };
}
