import { useSyncExternalStore } from "react";
import type { Ground } from "./scales.ts";

const DARK = "(prefers-color-scheme: dark)";

/** Whether the page is light or dark now. */
export function useGround(): Ground {
  return useSyncExternalStore(follow, () => (matchMedia(DARK).matches ? "dark" : "light"));
}

function follow(changed: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
