import { useMediaQuery } from "./use-media-query.ts";

/** Background of a drawing: the page in light or dark mode. Files are always light. */
export type Ground = "light" | "dark";

/** Whether the page is light or dark now. */
export function useGround(): Ground {
  return useMediaQuery("(prefers-color-scheme: dark)") ? "dark" : "light";
}
