import { AFTER_REGISTER_MS } from "@stipple/contract/business/intervals";
import { useEffect, useRef } from "react";

/** Runs `step` five seconds after `waiting` becomes true, unless it becomes false again or the page is left. */
export function useDelayedStep(waiting: boolean, step: () => void): void {
  const latest = useRef(step);
  useEffect(() => {
    latest.current = step;
  });
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => latest.current(), AFTER_REGISTER_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
}
