/** Combines the progress of concurrent pieces of work, each with its share of the whole. */
export function progressParts(
  shares: readonly number[],
  report: (fraction: number) => void,
): ((fraction: number) => void)[] {
  const reached = shares.map(() => 0);
  return shares.map((share, i) => (fraction) => {
    reached[i] = Math.max(reached[i], share * fraction);
    report(
      Math.min(
        1,
        reached.reduce((sum, part) => sum + part, 0),
      ),
    );
  });
}
