/** A run whose steps take turns. */
export interface RunInHand {
  id: string;
  /** Who is due earliest comes first. */
  dueAt: Date;
}

/**
 * Runs one step at a time in a worker that may have two runs. A small run that arrived later goes first if it is due
 * first, so that it waits for one step of a large run rather than for all of it. A run due first keeps its place
 * between two of its steps.
 */
export interface TurnOfSteps {
  /** Waits for the turn, does the work, and passes the turn on. */
  take<T>(run: RunInHand, work: () => Promise<T>): Promise<T>;
  /** The run needs no more turns. */
  leave(runId: string): void;
  /**
   * Gives out no more turns: who waits for one waits forever, and the run continues in another worker. Returns whether
   * the current turn has ended within `timeoutMs`.
   */
  close(timeoutMs: number): Promise<boolean>;
}

/** A run that is due first but requests nothing for this long has ended without notice. */
const IDLE_MS = 10_000;

export function openTurnOfSteps(idleMs = IDLE_MS): TurnOfSteps {
  /** Runs between their first and last step here, and when each was due. */
  const inHand = new Map<string, number>();
  const waiting: { id: string; dueAt: number; start: () => void }[] = [];
  let isTaken = false;
  let isClosed = false;
  let ended: () => void = () => undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function next(): void {
    clearTimeout(idleTimer);
    if (isTaken || isClosed) return;
    waiting.sort((a, b) => a.dueAt - b.dueAt);
    const [first] = waiting;
    if (!first) return;
    const earlier = [...inHand].filter(([id, dueAt]) => id !== first.id && dueAt < first.dueAt);
    if (earlier.length > 0) {
      idleTimer = setTimeout(() => {
        for (const [id] of earlier) inHand.delete(id);
        next();
      }, idleMs);
      return;
    }
    waiting.shift();
    isTaken = true;
    first.start();
  }

  return {
    async take({ id, dueAt }, work) {
      const due = dueAt.getTime();
      inHand.set(id, due);
      await new Promise<void>((start) => {
        waiting.push({ id, dueAt: due, start });
        next();
      });
      try {
        return await work();
      } finally {
        isTaken = false;
        ended();
        next();
      }
    },
    leave(runId) {
      inHand.delete(runId);
      next();
    },
    async close(timeoutMs) {
      isClosed = true;
      clearTimeout(idleTimer);
      if (!isTaken) return true;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        ended = resolve;
        timer = setTimeout(resolve, Math.min(timeoutMs, 2 ** 31 - 1));
      });
      clearTimeout(timer);
      return !isTaken;
    },
  };
}
