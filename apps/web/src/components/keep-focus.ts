import type { KeyboardEvent } from "react";

const STOPS =
  "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1']):not([data-base-ui-focus-guard])";

/**
 * Makes Tab wrap from a dialog's last tab stop to its first, and Shift+Tab from the first (or the dialog itself) to the
 * last.
 */
export function keepFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const dialog = event.currentTarget;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => !stop.matches(":disabled") && stop.getClientRects().length > 0,
  );
  const [first, last] = [stops[0], stops.at(-1)];
  const focused = document.activeElement;
  const leaves = event.shiftKey ? focused === first || focused === dialog : focused === last;
  if (!leaves && first) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
