import type { CellKind } from "../catalogue/tissue-plan.ts";
import { noiseHash } from "./noise-hash.ts";
import { Noise, smoothstep } from "./noise.ts";

/** What makes single nuclei hard to see, all from the seed and from `imageDifficulty`; at 0 everything is as drawn. */
export interface CellDifficulty {
  /** Factor of the cells' density at a place: clumps and gaps. */
  density(x: number, y: number): number;
  /** Share of itself that a nucleus may cover of others at a place, as the section's thickness lets it. */
  overlap(x: number, y: number): number;
  /** Standard deviation of the logarithm of the elongation. */
  elongationSpread: number;
  /** A kind as varied as in real tissue. */
  look(kind: CellKind): CellKind;
  /** What a nucleus shows of itself. */
  visible(cell: number): Visible;
}

export interface Visible {
  /** Factor of the stain. */
  stain: number;
  /** How empty its middle is, beyond its kind's look: 1 = little more than a membrane. */
  emptiness: number;
  /** How far it lies out of focus: width of its edge beyond the optics', µm. */
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
      // A separate random number for each property, so that drawing order does not matter.
      const draw = (stream: number): number =>
        noiseHash(Math.imul(cell, 8) + stream + seed * 31) / 2 ** 32;
      const pale = draw(0) < 0.18 ? draw(1) : 0;
      return {
        stain: 1 - difficulty * 0.5 * pale,
        emptiness: difficulty * (draw(2) < 0.3 ? draw(3) : 0),
        softUm: difficulty * 0.6 * draw(4) ** 2,
      };
    },
  };
}
