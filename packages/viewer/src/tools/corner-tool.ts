import type { Shape } from "../geometry/shape.ts";
import { editedShape } from "./edited-shape.ts";
import type { SketchEvents, ViewTool } from "./tool.ts";
import { listen, strokes, take, type Place, type Point } from "./strokes.ts";

/** Within this distance the pointer takes a corner, or an edge, CSS px. */
const CORNER_PX = 10;
const EDGE_PX = 6;
const ARROWS: Readonly<Record<string, [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How far an arrow key moves a corner, CSS px. */
const STEP_PX = 4;

export interface CornerEvents extends SketchEvents {
  /** A corner was moved, added, or removed; the border may cross itself. */
  onShape(shape: Shape): void;
}

/**
 * Moves the corners of a shape: drag a corner, or an edge to get a new one; Delete removes the last one touched. With
 * keys: [ and ] choose the previous and next corner, Shift and an arrow move it. Dragging elsewhere moves the view.
 */
export function cornerTool(shape: Shape, { onSketch, onShape }: CornerEvents): ViewTool {
  return {
    start(ground) {
      const edited = editedShape(shape);
      let picked = -1;
      let held = false;
      let changed = false;
      let last: Point | null = null;

      const show = () =>
        onSketch({ paths: edited.rings(), closed: true, handles: edited.corners(), picked });
      function finish(): void {
        if (changed) onShape(edited.shape());
        changed = false;
        show();
      }
      function moveTo(place: Point): void {
        edited.move(picked, ...ground.toData(place.x, place.y));
        changed = true;
        show();
      }
      function moveByKey([x, y]: [number, number]): void {
        const [fromX, fromY] = ground.toScreen(...edited.corner(picked));
        moveTo({ x: fromX + STEP_PX * x, y: fromY + STEP_PX * y });
        finish();
      }
      function pick(place: Place): void {
        const [x, y] = ground.toData(place.x, place.y);
        const unit = place.reach * Math.abs(ground.toData(place.x + 1, place.y)[0] - x);
        picked = edited.nearestCorner(x, y, CORNER_PX * unit);
        if (picked < 0) picked = edited.splitEdge(x, y, EDGE_PX * unit);
        held = picked >= 0;
      }

      const stop = strokes(ground, {
        begin(place) {
          last = place;
          pick(place);
          show();
        },
        extend(place) {
          if (held) moveTo(place);
          else ground.panBy(last!.x - place.x, last!.y - place.y);
          last = place;
        },
        end: finish,
        drop: () => void (held = false),
      });
      const press = (event: KeyboardEvent) => {
        const step = { "]": 1, "[": -1 }[event.key];
        const arrow = event.shiftKey && picked >= 0 ? ARROWS[event.key] : undefined;
        const removes = picked >= 0 && (event.key === "Delete" || event.key === "Backspace");
        if (event.ctrlKey || event.metaKey || !(step || arrow || removes)) return;
        take(event);
        if (arrow) return moveByKey(arrow);
        if (step) picked = edited.next(picked, step);
        else if (removes) {
          changed = edited.remove(picked);
          picked = -1;
        }
        finish();
      };
      const stopListening = listen(ground.element, { keydown: press });
      show();
      return () => {
        stopListening();
        stop();
        onSketch(null);
      };
    },
  };
}
