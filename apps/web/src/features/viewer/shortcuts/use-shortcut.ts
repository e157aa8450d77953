import { useEffect, useRef } from "react";
import { isShortcut } from "./shortcut-keys.ts";

/** Calls `onKey` for every key press on the page that is a shortcut. */
export function useShortcut(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isShortcut(event)) latest.current(event);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
