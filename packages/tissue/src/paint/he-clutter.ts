import { Noise, smoothstep } from "../anatomy/noise.ts";

/**
 * Structures around nuclei in real sections that reduce their contrast; concentrations of hematoxylin and
 * eosin.
 */
export class HeClutter {
  readonly #difficulty: number;
  readonly #slow: Noise;
  readonly #fine: Noise;

  constructor(seed: number, difficulty: number) {
    this.#difficulty = difficulty;
    this.#slow = new Noise(seed, 60);
    this.#fine = new Noise(seed, 61);
  }

  /** Added between cells: dark strands among fibers, as wide as slender nuclei, and a bluish matrix. */
  matrix(x: number, y: number, fiber: number, fibers: number): number {
    const strand = this.#fine.at(fiber / 2.2, (x - y) / 11);
    const thread = this.#fine.at(fiber / 0.9 + 91, (x + y) / 8);
    const matrix = Math.max(0, this.#slow.at(x / 45, y / 45));
    return (
      this.#difficulty *
      (0.2 * matrix +
        (0.25 + fibers) *
          (0.45 * smoothstep(0.35, 0.8, strand) + 0.2 * smoothstep(0.3, 0.8, thread)))
    );
  }

  /** Added in cell bodies: purple, granular, and vacuolated cytoplasm. */
  cytoplasm(x: number, y: number): number {
    const purple = 0.5 + 0.5 * this.#slow.at(x / 70 + 31, y / 70);
    const clods = this.#fine.at(x / 2.6, y / 2.6) + 0.7 * this.#fine.at(x / 1.2 + 17, y / 1.2);
    return this.#difficulty * purple * (0.22 + 0.22 * clods);
  }

  /** Factor on eosin: uneven staining, vacuoles, and tears. */
  eosin(x: number, y: number): number {
    const uneven = 0.35 * this.#slow.at(x / 130, y / 130 + 9);
    const grain = 0.3 * this.#fine.at(x / 1.7 + 5, y / 1.7) + 0.25 * this.#fine.at(x / 5, y / 5);
    return 1 + this.#difficulty * (uneven + grain);
  }

  /** Factor on stain concentration for structures near the resolution limit. */
  granule(x: number, y: number): number {
    return 1 + this.#difficulty * 0.3 * this.#fine.at(x / 0.75, y / 0.75);
  }

  /**
   * Amplitude of a nucleus's texture beyond that of its kind: coarse chromatin clumps, in the nucleus's own
   * coordinates.
   */
  chromatin(u: number, v: number, grain: number): number {
    if (this.#difficulty === 0) return 0;
    return (
      this.#difficulty *
      (0.45 * this.#fine.at(u / 1.1 + 300 * grain, v / 1.1) +
        0.3 * this.#fine.at(u / 2.4, v / 2.4 + 300 * grain))
    );
  }
}
