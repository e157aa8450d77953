/** Too many callers are already waiting. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

interface Waiting {
  key: string;
  start: () => void;
}

/** Hands out turns: a few at a time in all, one at a time for every key, in the order of asking. */
export class Turns {
  readonly #most: number;
  readonly #maxWaiting: { key: number; all: number };
  readonly #running = new Set<string>();
  #waiting: Waiting[] = [];

  constructor(most: number, maxWaiting: { key: number; all: number }) {
    this.#most = most;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Waits for a turn, does the work, and lets the next one in. Throws BusyError, or the signal's reason while waiting.
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#mayStart(key)) this.#running.add(key);
    else await this.#wait(key, signal);
    try {
      return await work();
    } finally {
      this.#running.delete(key);
      this.#next();
    }
  }

  #mayStart(key: string): boolean {
    return this.#running.size < this.#most && !this.#running.has(key);
  }

  #wait(key: string, signal: AbortSignal): Promise<void> {
    const ofKey = this.#waiting.filter((one) => one.key === key).length;
    if (ofKey >= this.#maxWaiting.key || this.#waiting.length >= this.#maxWaiting.all) {
      throw new BusyError("Too many requests are waiting for a turn");
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        key,
        start: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #next(): void {
    const at = this.#waiting.findIndex(({ key }) => this.#mayStart(key));
    if (at < 0) return;
    const [next] = this.#waiting.splice(at, 1);
    this.#running.add(next.key);
    next.start();
  }
}
