import { useSyncExternalStore } from "react";

/** Background of a drawing: the page in light or dark mode. Files are always light. */
export type Ground = "light" | "dark";

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
