import { scaleBar } from "@stipple/viewer/geometry";

/** Below this width, a view next to another one or an open tool may have no room for a longer scale bar. */
const SMALL_SCREEN_PX = 1280;

export function ScaleBarLine({ umPerPixel }: { umPerPixel: number }) {
  const bar = scaleBar(umPerPixel, window.innerWidth < SMALL_SCREEN_PX ? 84 : 140);
  return (
    <div className="rounded-control border border-line bg-card/90 px-2.5 py-1.5 text-xs font-medium">
      <span className="sr-only">Scale bar: </span>
      {bar.text}
      <span
        aria-hidden
        className="mt-1 block h-1.5 border-x-2 border-b-2 border-ink"
        style={{ width: bar.widthPx }}
      />
    </div>
  );
}
