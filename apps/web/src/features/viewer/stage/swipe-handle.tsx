import { MoveHorizontal } from "lucide-react";
import type { KeyboardEvent, PointerEvent } from "react";
import { stageTexts } from "./texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";

const STEP = 0.02;
const LARGE_STEP = 0.1;

/**
 * The divider between spots (left) and cells (right); a slider for mouse, touch, and keyboard. Hidden without a
 * comparison.
 */
export function SwipeHandle() {
  const { manifest, store } = useViewer();
  const swipe = useViewerState((state) => state.swipe);
  if (swipe === null) return null;
  const isBins = manifest.binSidePx !== null;
  const percent = Math.round(100 * swipe);

  function set(next: number): void {
    store.setState({ swipe: Math.min(1, Math.max(0, Number(next.toFixed(4)))) });
  }

  function drag(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = event.currentTarget.parentElement!.getBoundingClientRect();
    set((event.clientX - left) / width);
  }

  function press(event: KeyboardEvent): void {
    const to = keyTarget(event.key, swipe!);
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={stageTexts.swipeHandle(isBins)}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={stageTexts.swipeAt(percent, isBins)}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      className="group absolute inset-y-0 z-[5] -ml-5 flex w-10 cursor-ew-resize touch-none flex-col items-center justify-center outline-none"
      style={{ left: `${100 * swipe}%` }}
    >
      <span
        aria-hidden
        className="absolute inset-y-0 left-1/2 w-[3px] -translate-x-1/2 border-x border-[#0f1b2a]/60 bg-white"
      />
      <span
        aria-hidden
        className="relative grid size-9 place-items-center short:size-5 short:-translate-y-3 rounded-full border border-line bg-card text-ink shadow-md group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-primary"
      >
        <MoveHorizontal className="size-4" />
      </span>
      <span
        aria-hidden
        className="absolute bottom-1/2 mb-7 short:hidden rounded-control border border-line bg-card/95 px-2 py-1 text-xs font-medium whitespace-nowrap"
      >
        {stageTexts.swipe(isBins)}
      </span>
    </div>
  );
}

function keyTarget(key: string, at: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return at - STEP;
    case "ArrowRight":
    case "ArrowUp":
      return at + STEP;
    case "PageDown":
      return at - LARGE_STEP;
    case "PageUp":
      return at + LARGE_STEP;
    case "Home":
      return 0;
    case "End":
      return 1;
    default:
      return undefined;
  }
}
