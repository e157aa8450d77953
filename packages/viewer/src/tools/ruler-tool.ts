import { middleOf } from "./clicks.ts";
import type { Line } from "./nucleus-rings.ts";
import type { SketchEvents, ViewTool } from "./tool.ts";
import { listen, strokes, take } from "./strokes.ts";

/**
 * Draws a line by dragging, or from and to the middle of the view with C. It stays until the next one, to be measured;
 * with `onLine`, which is told its ends in drawing units, it goes.
 */
export function rulerTool({
  onSketch,
  onLine,
}: SketchEvents & { onLine?(line: Line): void }): ViewTool {
  return {
    start(ground) {
      let ends: number[] = [];
      let drawing = false;
      const show = () =>
        onSketch(
          ends.length === 0
            ? null
            : { paths: [Float64Array.from(ends)], closed: false, handles: Float64Array.from(ends) },
        );
      function tell(): void {
        if (!onLine || ends.length < 4) return;
        const line = ends as unknown as Line;
        ends = [];
        onLine(line);
      }
      const stop = strokes(ground, {
        begin(place) {
          ends = [...ground.toData(place.x, place.y)];
          drawing = true;
        },
        extend(place) {
          ends = [...ends.slice(0, 2), ...ground.toData(place.x, place.y)];
          show();
        },
        end() {
          drawing = false;
          if (ends.length < 4) ends = [];
          tell();
        },
        drop() {
          if (drawing) ends = [];
          drawing = false;
          show();
        },
      });
      const press = (event: KeyboardEvent) => {
        if (event.key.toLowerCase() !== "c" || event.ctrlKey || event.metaKey) return;
        const { x, y } = middleOf(ground);
        ends = [...(ends.length === 2 ? ends : []), ...ground.toData(x, y)];
        tell();
        show();
        take(event);
      };
      const stopListening = listen(ground.element, { keydown: press });
      return () => {
        stopListening();
        ends = [];
        stop();
      };
    },
  };
}
