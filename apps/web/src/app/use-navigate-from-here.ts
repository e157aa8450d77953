import { useLocation } from "wouter";
import type { navigate } from "wouter/use-browser-location";
import { useBrowserLocation, whereWeAre } from "./location.tsx";

/**
 * Navigates, for after a request: not if the user has left the page in the meantime, who would be taken away from
 * whatever they do now.
 */
export function useNavigateFromHere(): typeof navigate {
  const { pathname } = useBrowserLocation();
  const [, go] = useLocation();
  return (to, options) => {
    if (whereWeAre(false).pathname === pathname) go(to, options);
  };
}
