/** Work was canceled on request. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";
  constructor() {
    super("The work was canceled.");
  }
}

/** Throws {@link CancelledError} once `signal` is aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError();
}
