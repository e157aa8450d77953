/** In addition to the time that a process waits for its work. */
const TIMEOUT_MS = 10_000;
/** One press of Ctrl-C can arrive twice: from the terminal, and passed on by whoever started the process. */
const SAME_PRESS_MS = 500;

/**
 * Runs `end` once when the process is told to stop: by a signal, or because the process that started it is gone. Exits
 * with 0, or with 1 if `end` fails, if it takes longer than `workSeconds` and a little more, or if Ctrl-C is pressed
 * again. A second SIGTERM changes nothing: service managers send it to all processes, and `serve` sends it once more.
 */
export function onStop(workSeconds: number, end: () => Promise<void>): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), workSeconds * 1000 + TIMEOUT_MS).unref();
    end().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  let pressedAt = 0;
  process.on("SIGINT", () => {
    if (stopping && performance.now() - pressedAt > SAME_PRESS_MS) process.exit(1);
    pressedAt ||= performance.now();
    stop();
  });
  process.on("SIGTERM", stop);
  process.on("disconnect", stop);
}
