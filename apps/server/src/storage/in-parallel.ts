/**
 * Does `work` for every item, at most `width` at a time, and returns its results in order. The first failure is thrown once
 * nothing runs anymore.
 */
export async function inParallel<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const rest = Symbol.iterator in items ? items[Symbol.iterator]() : items[Symbol.asyncIterator]();
  const results: R[] = [];
  let taken = 0;
  let failure: { error: unknown } | undefined;
  async function hand(): Promise<void> {
    while (!failure) {
      try {
        const index = taken++;
        const next = await rest.next();
        if (next.done) return;
        results[index] = await work(next.value, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: width }, hand));
  if (!failure) return results;
  await rest.return?.();
  throw failure.error;
}
