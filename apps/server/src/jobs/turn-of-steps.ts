import { setTimeout as sleep } from "node:timers/promises";

/**
 * One step at a time in a worker, though it may have two runs in hand: a small one that has come later goes first when
 * it is due first, so that it waits for one step of a large run and not for all of it.
 */
export interface TurnOfSteps {
  /** Waits for the turn, does the work, and passes the turn on. Who is due earliest comes first. */
  take<T>(dueAt: Date, work: () => Promise<T>): Promise<T>;
}

export function openTurnOfSteps(): TurnOfSteps {
  const waiting: { dueAt: number; start: () => void }[] = [];
  let isTaken = false;

  function next(): void {
    waiting.sort((a, b) => a.dueAt - b.dueAt);
    const first = waiting.shift();
    isTaken = first !== undefined;
    first?.start();
  }

  return {
    async take(dueAt, work) {
      if (isTaken) {
        await new Promise<void>((start) => waiting.push({ dueAt: dueAt.getTime(), start }));
      }
      isTaken = true;
      try {
        return await work();
      } finally {
        // The run whose step has ended asks for its next one first: only then it is decided who is due.
        void sleep(50).then(next);
      }
    },
  };
}
