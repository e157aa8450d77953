import { clicks, middleOf } from "./clicks.ts";
import type { SketchEvents, ViewTool } from "./tool.ts";
import { distance, type Place, type Point } from "./strokes.ts";

/** A click this near to the first or the last corner closes the polygon, CSS px. */
const CLOSING_PX = 6;

export interface PolygonEvents extends SketchEvents {
  /** A polygon was closed: x and y of its corners in drawing units. */
  onRing(ring: Float64Array): void;
  /** The corners set so far; none after the polygon was closed or given up. */
  onCorners?(corners: readonly number[]): void;
}

/**
 * Draws polygons corner by corner. A click sets a corner; Enter, a double click, or a click on the first corner closes;
 * Backspace takes the last corner back; Escape gives up. Without a pointer, C sets a corner in the middle of the view.
 * @param begun corners to go on from, x and y in drawing units
 */
export function polygonTool(
  { onSketch, onRing, onCorners }: PolygonEvents,
  begun: readonly number[] = [],
): ViewTool {
  return {
    start(ground) {
      let corners = [...begun];
      let over: Point | null = null;

      function show(): void {
        if (corners.length === 0) return onSketch(null);
        const next = over ? ground.toData(over.x, over.y) : [];
        onSketch({
          paths: [Float64Array.from([...corners, ...next])],
          closed: false,
          handles: Float64Array.from(corners),
        });
      }
      function changed(): void {
        onCorners?.(corners);
        show();
      }
      const isAt = (place: Place, at: number) => {
        const [x, y] = ground.toScreen(corners[at]!, corners[at + 1]!);
        return distance(place, { x, y }) <= CLOSING_PX * place.reach;
      };
      function close(): void {
        if (corners.length < 6) return;
        const ring = Float64Array.from(corners);
        corners = [];
        changed();
        onRing(ring);
      }
      function add(place: Place): void {
        const ends = corners.length > 0 && (isAt(place, 0) || isAt(place, corners.length - 2));
        if (ends) return close();
        corners.push(...ground.toData(place.x, place.y));
        over = null;
        changed();
      }

      const keys: Record<string, () => void> = {
        Enter: close,
        Backspace: () => corners.splice(-2),
        Escape: () => corners.splice(0),
      };
      show();
      const stop = clicks(ground, {
        onClick: add,
        onHover(place) {
          over = place;
          if (corners.length > 0) show();
        },
        onKey(key) {
          if (key.toLowerCase() === "c") add(middleOf(ground));
          else if (corners.length > 0 && Object.hasOwn(keys, key)) keys[key]!();
          else return false;
          changed();
          return true;
        },
      });
      return () => {
        stop();
        onSketch(null);
      };
    },
  };
}
