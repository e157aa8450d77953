const COLUMNS = [
  ["condition", "conditions"],
  ["patient", "patients"],
  ["batch", "batches"],
] as const;

/** A sentence for each pair of values of a design that differ only in case or spaces: they may be meant as one. */
export function writtenAlike(
  samples: readonly Readonly<Record<(typeof COLUMNS)[number][0], string>>[],
): string[] {
  return COLUMNS.flatMap(([column, words]) => {
    const values = [...new Set(samples.map((sample) => sample[column]))];
    const alike = Map.groupBy(values, (value) =>
      value.normalize("NFKC").replaceAll(/\s/g, "").toLowerCase(),
    );
    return [...alike.values()].flatMap((own) =>
      own.length < 2
        ? []
        : [
            `The ${words} ${own.map((value) => `"${value}"`).join(" and ")} differ only in case or spaces and count as ${own.length}: if they are one, write them alike.`,
          ],
    );
  });
}
