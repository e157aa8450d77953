/** Controls what may still start. A stopping worker closes it: current work finishes, nothing new starts. */
export interface Gate {
  /** Does `work` unless the gate is closed; then it never resolves, and the run continues in another worker. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Closes the gate and waits for the work inside. Returns whether all of it ended within `patienceMs`. */
  close(patienceMs: number): Promise<boolean>;
}

export function openGate(): Gate {
  let inside = 0;
  let isClosed = false;
  let emptied: () => void = () => undefined;
  return {
    async pass(work) {
      if (isClosed) await new Promise<never>(() => undefined);
      inside++;
      try {
        return await work();
      } finally {
        inside--;
        if (inside === 0) emptied();
      }
    },
    async close(patienceMs) {
      isClosed = true;
      if (inside === 0) return true;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        emptied = resolve;
        timer = setTimeout(resolve, Math.min(patienceMs, 2 ** 31 - 1));
      });
      clearTimeout(timer);
      return inside === 0;
    },
  };
}
