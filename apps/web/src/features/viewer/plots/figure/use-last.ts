import { useRef } from "react";

/** The last value that was not null: what to go on showing while the next is made. */
export function useLast<Value>(value: Value | null): Value | null {
  const last = useRef(value);
  if (value !== null) last.current = value;
  return last.current;
}
