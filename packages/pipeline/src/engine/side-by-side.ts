type Work<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Does works at the same time. When one fails, the others are cancelled and waited for, so that nothing is written any more
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
