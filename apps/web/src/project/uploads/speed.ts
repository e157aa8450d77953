/** Bytes sent over time, smoothed so that the time left does not jump. */
export interface SpeedMeter {
  /**
   * Records that `sentBytes` in total had been sent at `nowMs`; returns bytes per second, or undefined within the first
   * half second.
   */
  note(sentBytes: number, nowMs: number): number | undefined;
}

const SMOOTHING_MS = 4_000;
const SHORTEST_SAMPLE_MS = 500;

/** An exponentially weighted mean with a time constant of four seconds. */
export function speedMeter(startBytes: number, startMs: number): SpeedMeter {
  let bytes = startBytes;
  let at = startMs;
  let speed: number | undefined;
  return {
    note(sentBytes, nowMs) {
      const elapsed = nowMs - at;
      if (elapsed < SHORTEST_SAMPLE_MS) return speed;
      const current = (Math.max(0, sentBytes - bytes) * 1000) / elapsed;
      const weight = 1 - Math.exp(-elapsed / SMOOTHING_MS);
      speed = speed === undefined ? current : speed + weight * (current - speed);
      bytes = sentBytes;
      at = nowMs;
      return speed;
    },
  };
}
