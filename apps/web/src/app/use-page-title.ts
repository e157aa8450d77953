import { useEffect } from "react";

/** Sets the document's title, e.g. "Dashboard · Stipple". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Stipple`;
  }, [title]);
}
