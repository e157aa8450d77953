import { isFinal } from "../source/source.ts";

const BETWEEN_ROUNDS_MS = 10_000;

export interface TileRounds {
  /** Changing it requests all tiles in view again. */
  readonly round: number;
  /** A tile arrived, or failed for good. */
  onTile(error?: unknown): void;
}

/** Failed tiles are requested again once another one arrives, but not too often. */
export function tileRounds(
  onMissing: (isMissing: boolean) => void,
  onAgain: () => void,
): TileRounds {
  let round = 0;
  let gaveUp = false;
  let next = 0;
  return {
    get round() {
      return round;
    },
    onTile(error) {
      if (error !== undefined) {
        gaveUp ||= !isFinal(error);
        onMissing(true);
      } else if (gaveUp && performance.now() > next) {
        gaveUp = false;
        next = performance.now() + BETWEEN_ROUNDS_MS;
        round += 1;
        onMissing(false);
        onAgain();
      }
    },
  };
}
