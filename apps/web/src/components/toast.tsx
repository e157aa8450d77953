import { TOAST_MS } from "@stipple/contract/business/intervals";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { joinClasses } from "./join-classes.ts";
import { currentToasts, dismissToast, subscribeToasts, type ToastEntry } from "./toast-store.ts";

const ICONS = { failure: CircleAlert, info: Info, success: CircleCheck };
const COLORS = { bad: "text-bad", info: "text-info" };

/** Distance from the window's edges, px. */
const MARGIN = 16;
const CONTROLS = "a[href], button, input, select, textarea, summary, [role=button], [role=slider]";

/**
 * The region where toasts appear; rendered once on every page. Custom and small, because every page loads it, including
 * the landing page.
 */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts);
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (toasts.length === 0) return;
    const move = (): void => clearControls(region.current!);
    move();
    const options = { capture: true, passive: true };
    window.addEventListener("scroll", move, options);
    window.addEventListener("resize", move);
    // A page that opens underneath brings its own controls.
    const timer = setInterval(move, 250);
    return () => {
      window.removeEventListener("scroll", move, options);
      window.removeEventListener("resize", move);
      clearInterval(timer);
    };
  }, [toasts]);
  return (
    <div
      ref={region}
      role="status"
      aria-live="polite"
      style={{ bottom: MARGIN }}
      className="pointer-events-none fixed right-4 left-4 z-[60] flex flex-col items-end gap-2 sm:left-auto"
    >
      {toasts.map((entry) => (
        <Toast key={entry.id} entry={entry} />
      ))}
    </div>
  );
}

/** Moves the region up, if necessary, until it covers no control. */
function clearControls(region: HTMLElement): void {
  const { left, right, height } = region.getBoundingClientRect();
  // While a dialog is open, nothing outside it can be used.
  const dialogs = document.querySelectorAll("dialog[open], [role=dialog], [role=alertdialog]");
  const within = [...dialogs].at(-1) ?? document;
  const taken = [...within.querySelectorAll(CONTROLS)]
    .filter((control) => !region.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.right > left && box.left < right);
  const bottom = freePlace(height, { window: window.innerHeight, margin: MARGIN, taken });
  region.style.bottom = `${bottom}px`;
}

/** Disappears once neither pointer nor focus has been on it for three seconds. */
function Toast({ entry }: { entry: ToastEntry }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(entry.id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [entry.id, held]);
  const Icon = ICONS[entry.icon];
  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full max-w-sm items-start gap-2.5 rounded-card border border-line bg-card py-3 pr-2 pl-4 shadow-lg sm:w-auto sm:min-w-72"
    >
      <Icon aria-hidden className={joinClasses("mt-0.5 size-4 shrink-0", COLORS[entry.tone])} />
      <p className={joinClasses("min-w-0 flex-1", COLORS[entry.tone])}>{entry.text}</p>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismissToast(entry.id)}
        className="grid size-6 shrink-0 place-items-center rounded text-ink-3 hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}

/** The extent of something on the screen from top to bottom, px. */
interface Extent {
  top: number;
  bottom: number;
}

/**
 * How far above the lower edge of a window something of this height can stand without covering any of `taken`: the
 * lowest such place, or the one that covers the least if there is none. `margin` is kept from the edges. O(n²) for n
 * extents.
 */
export function freePlace(
  height: number,
  { window, margin, taken }: { window: number; margin: number; taken: readonly Extent[] },
): number {
  const lowest = window - margin;
  const highest = margin + height;
  const covered = (bottom: number): number =>
    taken.reduce(
      (sum, one) =>
        sum + Math.max(0, Math.min(one.bottom, bottom) - Math.max(one.top, bottom - height)),
      0,
    );
  // The lowest free place is at the bottom or just above something.
  const places = [lowest, ...taken.map(({ top }) => top)]
    .filter((bottom) => bottom <= lowest && bottom >= highest)
    .sort((a, b) => b - a);
  let best = lowest;
  for (const place of places) if (covered(place) < covered(best)) best = place;
  return window - best;
}
