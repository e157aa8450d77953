import { Random } from "@stipple/numerics/random";

const SIDE = 256;
const MASK = SIDE - 1;

/**
 * Smooth random function of the plane (value noise on a periodic lattice), mean 0, range roughly −1…1. O(1) per
 * call.
 */
export class Noise {
  readonly #lattice = new Float32Array(SIDE * SIDE);

  constructor(seed: number, stream: number) {
    const random = new Random(seed + stream * 2 ** 32);
    for (let i = 0; i < this.#lattice.length; i++) this.#lattice[i] = 2 * random.uniform() - 1;
  }

  at(x: number, y: number): number {
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    let fx = x - x0;
    let fy = y - y0;
    fx = fx * fx * (3 - 2 * fx);
    fy = fy * fy * (3 - 2 * fy);
    const top = (y0 & MASK) * SIDE;
    const bottom = ((y0 + 1) & MASK) * SIDE;
    const left = x0 & MASK;
    const right = (x0 + 1) & MASK;
    const lattice = this.#lattice;
    const a = lattice[top + left];
    const b = lattice[top + right];
    const c = lattice[bottom + left];
    const d = lattice[bottom + right];
    const upper = a + (b - a) * fx;
    return upper + (c + (d - c) * fx - upper) * fy;
  }

  /** Sum of octaves, each with half the length and half the amplitude, rotated to hide the lattice. */
  fractal(x: number, y: number, octaves: number): number {
    let sum = 0;
    let amplitude = 1;
    for (let octave = 0; octave < octaves; octave++) {
      const u = 0.8 * x - 0.6 * y;
      const v = 0.6 * x + 0.8 * y;
      sum += amplitude * this.at(u + octave * 37.1, v + octave * 17.7);
      amplitude *= 0.5;
      x = 2 * u;
      y = 2 * v;
    }
    return sum;
  }
}

/** 0 below `low`, 1 above `high`, smooth in between. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}
