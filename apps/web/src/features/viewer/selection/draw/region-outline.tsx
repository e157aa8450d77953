import type { Scene } from "@stipple/viewer";
import type { ViewName } from "@stipple/viewer/choices";
import { useViewerState } from "../../state/viewer-context.tsx";

/** The region being drawn: a dark line on a light one, visible on any tissue. Follows the view. */
export function RegionOutline({
  view,
  ring,
  scene,
}: {
  view: ViewName;
  /** x, y of the vertices in drawing units. */
  ring: Float64Array;
  scene: Scene | null;
}) {
  // Re-render on zoom: the wheel works while a region is being drawn.
  useViewerState((state) => state.places[view]);
  const path = pathOf(ring, scene);
  return (
    <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
      <path d={path} className="fill-primary/15 stroke-white" strokeWidth={3.5} />
      <path d={path} fill="none" stroke="#0f1b2a" strokeWidth={1.5} strokeDasharray="5 4" />
    </svg>
  );
}

function pathOf(ring: Float64Array, scene: Scene | null): string {
  if (!scene) return "";
  const [left, top] = scene.unproject(0, 0);
  const perPx = scene.unproject(1, 0)[0] - left;
  let path = "";
  for (let at = 0; at < ring.length; at += 2) {
    const x = (ring[at]! - left) / perPx;
    const y = (ring[at + 1]! - top) / perPx;
    path += `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return `${path}Z`;
}
