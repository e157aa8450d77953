import { distance, strokes, type Point } from "./strokes.ts";
import type { ToolGround } from "./tool.ts";

/** A press that moves further than this is no click, CSS px. */
const STILL_PX = 4;

export interface ClickEvents {
  onClick(place: Point): void;
  /** The pointer moves without a button. */
  onHover(place: Point): void;
  /** A key of the view; true if it was used. */
  onKey(key: string): boolean;
}

/** Follows clicks and keys until the returned function is called. Dragging moves the view. */
export function clicks(ground: ToolGround, { onClick, onHover, onKey }: ClickEvents): () => void {
  const { element } = ground;
  let from: Point | null = null;
  let last: Point | null = null;
  const stop = strokes(ground, {
    begin(place) {
      from = last = place;
    },
    extend(place) {
      if (from && distance(from, place) < STILL_PX) return;
      from = null;
      ground.panBy(last!.x - place.x, last!.y - place.y);
      last = place;
    },
    end() {
      if (from) onClick(from);
    },
    drop() {
      from = null;
    },
  });
  const hover = (event: PointerEvent) => {
    if (event.buttons > 0) return;
    const { left, top } = element.getBoundingClientRect();
    onHover({ x: event.clientX - left, y: event.clientY - top });
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || !onKey(event.key)) return;
    event.stopPropagation();
    event.preventDefault();
  };
  element.addEventListener("pointermove", hover);
  element.addEventListener("keydown", press, { capture: true });
  return () => {
    stop();
    element.removeEventListener("pointermove", hover);
    element.removeEventListener("keydown", press, { capture: true });
  };
}

/** The middle of a view, where keys place points. */
export function middleOf({ element }: Pick<ToolGround, "element">): Point {
  return { x: element.clientWidth / 2, y: element.clientHeight / 2 };
}
