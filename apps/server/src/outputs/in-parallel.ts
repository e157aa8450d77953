/** Does `work` for every item, at most `width` at a time. The first failure is thrown once nothing runs anymore. */
export async function inParallel<T>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  async function hand(): Promise<void> {
    for (let next = rest.next(); !next.done && !failure; next = rest.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: width }, hand));
  if (failure) throw failure.error;
}
