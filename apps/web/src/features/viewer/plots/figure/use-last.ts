import { useRef } from "react";

/** The last non-null value, to keep showing while the next one is computed. */
export function useLast<Value>(value: Value | null): Value | null {
  const last = useRef(value);
  if (value !== null) last.current = value;
  return last.current;
}
