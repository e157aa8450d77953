import { useState } from "react";

/** The same array as long as it holds the same. */
export function useStable<T>(values: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(values);
  const isSame = kept.length === values.length && kept.every((one, at) => one === values[at]);
  if (!isSame) setKept(values);
  return isSame ? kept : values;
}
