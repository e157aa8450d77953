/** Two signals closer than this are one key press: the terminal's and the one that the launcher passes on. */
const SAME_PRESS_MS = 400;

/**
 * Aborts on the first Ctrl-C (or SIGTERM) and exits on the second, until it is disposed of. `onFirst` tells the user what
 * happens.
 */
export function cancelOnSignal(onFirst: () => void): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  let firstAt = -Infinity;
  const handle = (name: NodeJS.Signals): void => {
    const now = performance.now();
    if (now - firstAt < SAME_PRESS_MS) return;
    if (controller.signal.aborted) process.exit(name === "SIGINT" ? 130 : 143);
    firstAt = now;
    onFirst();
    controller.abort();
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off("SIGINT", handle);
      process.off("SIGTERM", handle);
    },
  };
}
