type Work<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Runs work concurrently. If one fails, the others are canceled and awaited, so that nothing is still being written
 * when the first error is thrown.
 */
export async function sideBySide<T extends readonly unknown[]>(
  signal: AbortSignal,
  works: { readonly [I in keyof T]: Work<T[I]> },
): Promise<T> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  let first: { error: unknown } | undefined;
  const done = await Promise.all(
    works.map((work) =>
      work(either).catch((error: unknown) => {
        first ??= { error };
        failing.abort();
      }),
    ),
  );
  if (first) throw first.error;
  return done as unknown as T;
}
