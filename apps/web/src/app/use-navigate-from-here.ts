import { useLocation } from "wouter";
import type { navigate } from "wouter/use-browser-location";
import { useBrowserLocation, whereWeAre } from "./location.tsx";

/**
 * Navigates after a request, unless the user has left the page in the meantime and does something else.
 */
export function useNavigateFromHere(): typeof navigate {
  const { pathname } = useBrowserLocation();
  const [, go] = useLocation();
  return (to, options) => {
    if (whereWeAre(false).pathname === pathname) go(to, options);
  };
}
