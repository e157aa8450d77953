import type { Scene } from "@stipple/viewer";
import type { ViewName } from "@stipple/viewer/choices";
import type { Sketch } from "@stipple/viewer/tools";
import { useViewerState } from "../state/viewer-context.tsx";

const HANDLE_PX = 4;

/** What is being drawn: dark lines on light ones, visible on any tissue. Follows the view. */
export function SketchLines({
  view,
  sketch: { paths, closed, width, handles, picked },
  scene,
}: {
  view: ViewName;
  sketch: Sketch;
  scene: Scene | null;
}) {
  // Re-render on zoom: the wheel works while something is being drawn.
  useViewerState((state) => state.places[view]);
  if (!scene) return null;
  const unitsPerPx = scene.unproject(1, 0)[0] - scene.unproject(0, 0)[0];
  const onScreen = (line: Float64Array) =>
    Array.from({ length: line.length / 2 }, (_, at) =>
      scene.project(line[2 * at]!, line[2 * at + 1]!),
    );
  const path = paths.map((line) => pathOf(onScreen(line), closed)).join("");
  const points = handles ? onScreen(handles) : [];
  return (
    <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
      {width !== undefined && (
        <path
          d={path}
          fill="none"
          className="stroke-primary/40"
          strokeWidth={width / unitsPerPx}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
      {width === undefined && (
        <>
          <path
            d={path}
            fill="none"
            className={closed ? "fill-primary/15 stroke-white" : "stroke-white"}
            strokeWidth={3.5}
          />
          <path d={path} fill="none" stroke="#0f1b2a" strokeWidth={1.5} strokeDasharray="5 4" />
        </>
      )}
      {points.map(([x, y], at) => (
        <circle
          key={at}
          cx={x}
          cy={y}
          r={at === picked ? HANDLE_PX + 2 : HANDLE_PX}
          fill={at === picked ? "#0f1b2a" : "#ffffff"}
          stroke={at === picked ? "#ffffff" : "#0f1b2a"}
          strokeWidth={1.5}
        />
      ))}
    </svg>
  );
}

function pathOf(points: readonly [number, number][], closed: boolean): string {
  const moves = points.map(
    ([x, y], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`,
  );
  // A line to its own beginning draws a dot.
  if (points.length === 1) moves.push(moves[0]!.replace("M", "L"));
  return moves.join("") + (closed ? "Z" : "");
}
