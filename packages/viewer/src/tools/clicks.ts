import { distance, listen, placeOf, strokes, take, type Place, type Point } from "./strokes.ts";
import type { ToolGround } from "./tool.ts";

/** A press that moves further than this is no click, CSS px. */
const STILL_PX = 4;

export interface ClickEvents {
  onClick(place: Place): void;
  /** The pointer moves without a button. */
  onHover(place: Point): void;
  /** A key of the view; true if it was used. */
  onKey(key: string): boolean;
}

/** Follows clicks and keys until the returned function is called. Dragging moves the view. */
export function clicks(ground: ToolGround, { onClick, onHover, onKey }: ClickEvents): () => void {
  const { element } = ground;
  let from: Place | null = null;
  let last: Point | null = null;
  const stop = strokes(ground, {
    begin(place) {
      from = last = place;
    },
    extend(place) {
      if (from && distance(from, place) < STILL_PX * place.reach) return;
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
  const stopListening = listen(element, {
    pointermove(event: PointerEvent) {
      if (event.buttons === 0) onHover(placeOf(event, element));
    },
    keydown(event: KeyboardEvent) {
      if (!event.ctrlKey && !event.metaKey && onKey(event.key)) take(event);
    },
  });
  return () => {
    stop();
    stopListening();
  };
}

/** The middle of a view, where keys place points. */
export function middleOf({ element }: Pick<ToolGround, "element">): Place {
  return { x: element.clientWidth / 2, y: element.clientHeight / 2, reach: 1 };
}
