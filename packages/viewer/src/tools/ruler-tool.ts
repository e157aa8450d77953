import { middleOf } from "./clicks.ts";
import type { SketchEvents } from "./sketch.ts";
import { strokes } from "./strokes.ts";
import type { ViewTool } from "./tool.ts";

/** Measures a line: drawn by dragging, or from and to the middle of the view with C. It stays until the next one. */
export function rulerTool({ onSketch }: SketchEvents): ViewTool {
  return {
    start(ground) {
      const { element } = ground;
      let ends: number[] = [];
      let drawing = false;
      const show = () =>
        onSketch(
          ends.length === 0
            ? null
            : { paths: [Float64Array.from(ends)], closed: false, handles: Float64Array.from(ends) },
        );
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
        show();
        event.stopPropagation();
        event.preventDefault();
      };
      element.addEventListener("keydown", press, { capture: true });
      return () => {
        element.removeEventListener("keydown", press, { capture: true });
        ends = [];
        stop();
      };
    },
  };
}
