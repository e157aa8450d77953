import { distance, strokes, type Point } from "./strokes.ts";
import type { ViewTool } from "./tool.ts";

/** Vertices closer together than this are skipped, CSS px. */
const STEP_PX = 2.5;
/** A region smaller than this in both directions is a click and selects nothing, CSS px. */
const MIN_PX = 4;

export interface RegionEvents {
  /** Vertices so far, in data units (x, y pairs); null when nothing is being drawn. */
  onOutline(ring: Float64Array | null): void;
  /** A region was drawn; Shift adds it, Alt subtracts it, undefined without either. */
  onRegion(ring: Float64Array, combine: "add" | "subtract" | undefined): void;
}

/** Lets the user draw regions with mouse, pen, or finger: freely, or as rectangles. */
export function regionTool(
  kind: "lasso" | "rectangle",
  { onOutline, onRegion }: RegionEvents,
): ViewTool {
  return {
    start(ground) {
      let path: Point[] = [];
      const ring = () => {
        const corners = kind === "lasso" ? path : rectangleOf(path);
        return Float64Array.from(corners.flatMap(({ x, y }) => ground.toData(x, y)));
      };
      return strokes(ground, {
        begin(place) {
          path = [place];
        },
        extend(place) {
          if (kind === "rectangle") path[1] = place;
          else if (distance(path.at(-1)!, place) >= STEP_PX) path.push(place);
          onOutline(ring());
        },
        end({ shiftKey, altKey }) {
          if (isRegion(path)) onRegion(ring(), shiftKey ? "add" : altKey ? "subtract" : undefined);
        },
        drop: () => onOutline(null),
      });
    },
  };
}

function isRegion(path: readonly Point[]): boolean {
  const xs = path.map(({ x }) => x);
  const ys = path.map(({ y }) => y);
  const wide = Math.max(...xs) - Math.min(...xs);
  const high = Math.max(...ys) - Math.min(...ys);
  return Math.max(wide, high) >= MIN_PX && Math.min(wide, high) > 0;
}

function rectangleOf([from, to = from]: readonly Point[]): Point[] {
  if (!from || !to) return [];
  return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
}
