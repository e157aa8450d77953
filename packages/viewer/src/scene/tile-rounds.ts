import { isFinal } from "../source/source.ts";

const BETWEEN_ROUNDS_MS = 10_000;

export type TileRounds = ReturnType<typeof tileRounds>;

/** Failed tiles are requested again once another one arrives, but not too often. */
export function tileRounds(onMissing: (isMissing: boolean) => void, onAgain: () => void) {
  let round = 0;
  let gaveUp = false;
  let next = 0;
  return {
    /** Changing it requests all tiles in view again. */
    get round() {
      return round;
    },
    /** A tile arrived, or failed for good. */
    onTile(error?: unknown): void {
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
