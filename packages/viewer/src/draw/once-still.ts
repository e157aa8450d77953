/** Work is done once the view has been still this long, or at the latest after the longer time. */
const AFTER_MS = 60;
const AT_LATEST_MS = 240;

export interface OnceStill {
  /** Whether it may be done now, always if `atOnce`; if not, `again` is called when it may. */
  mayStart(atOnce: boolean): boolean;
  /** Whether `again` is still to be called. */
  isWaiting(): boolean;
  close(): void;
}

/** Puts off work that is too slow for every frame of a moving view. */
export function onceStill(again: () => void): OnceStill {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let waitingSince = 0;
  let ready = true;
  return {
    mayStart(atOnce) {
      const now = performance.now();
      if (atOnce || ready || (waiting && now - waitingSince > AT_LATEST_MS)) {
        clearTimeout(waiting);
        waiting = undefined;
        ready = false;
        return true;
      }
      if (!waiting) waitingSince = now;
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        waiting = undefined;
        ready = true;
        again();
      }, AFTER_MS);
      return false;
    },
    isWaiting: () => waiting !== undefined,
    close: () => clearTimeout(waiting),
  };
}
