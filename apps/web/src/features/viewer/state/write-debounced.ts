import type { ViewerState, ViewerStore } from "./viewer-store.ts";

/** Delay between the last change and writing. */
const WRITE_AFTER_MS = 300;

/** Calls `write` a moment after the last change of any of these parts of the state. */
export function writeDebounced(
  store: ViewerStore,
  parts: readonly (keyof ViewerState)[],
  write: () => void,
) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const writeNow = (): void => {
    waiting = undefined;
    write();
  };
  const unsubscribe = store.subscribe((state, before) => {
    if (parts.every((part) => state[part] === before[part])) return;
    clearTimeout(waiting);
    waiting = setTimeout(writeNow, WRITE_AFTER_MS);
  });
  const flush = (): void => {
    if (waiting === undefined) return;
    clearTimeout(waiting);
    writeNow();
  };
  return {
    /** Writes what is still waiting now. */
    flush,
    /** Ends it, and first writes what is still waiting. */
    stop() {
      unsubscribe();
      flush();
    },
  };
}
