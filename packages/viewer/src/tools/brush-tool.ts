import type { SketchEvents, ViewTool } from "./tool.ts";
import { distance, listen, placeOf, strokes, type Point } from "./strokes.ts";

/** Points closer together than this are skipped, CSS px. */
const STEP_PX = 2;

export interface BrushEvents extends SketchEvents {
  /** A stroke ended: x and y of its points in drawing units; `other` = drawn with Alt held. */
  onStroke(path: Float64Array, other: boolean): void;
}

/** Paints with a round brush whose radius is given in drawing units. */
export function brushTool(radius: number, { onSketch, onStroke }: BrushEvents): ViewTool {
  return {
    start(ground) {
      const { element } = ground;
      let path: number[] = [];
      let last: Point | null = null;
      const show = (points: readonly number[]) =>
        onSketch({ paths: [Float64Array.from(points)], closed: false, width: 2 * radius });
      const stop = strokes(ground, {
        begin(place) {
          path = [...ground.toData(place.x, place.y)];
          last = place;
          show(path);
        },
        extend(place) {
          if (distance(last!, place) < STEP_PX) return;
          path.push(...ground.toData(place.x, place.y));
          last = place;
          show(path);
        },
        end: ({ altKey }) => onStroke(Float64Array.from(path), altKey),
        drop: () => onSketch(null),
      });
      const stopListening = listen(element, {
        pointermove(event: PointerEvent) {
          if (event.buttons > 0) return;
          const { x, y } = placeOf(event, element);
          show(ground.toData(x, y));
        },
      });
      return () => {
        stopListening();
        stop();
      };
    },
  };
}
