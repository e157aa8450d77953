/** Lets `parallel` of those who ask work at a time, in the order in which they ask. */
export function takeTurns(parallel: number): { begin(): Promise<void>; end(): void } {
  const waiting: (() => void)[] = [];
  let active = 0;
  return {
    async begin() {
      if (active >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
      else active += 1;
    },
    end() {
      const next = waiting.shift();
      if (next) next();
      else active -= 1;
    },
  };
}
