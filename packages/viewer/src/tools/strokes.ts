import type { ToolGround } from "./tool.ts";

/** A finger meets what lies this many times as far as what a mouse meets: it covers what it points at. */
const FINGER_REACH = 2.5;

/** CSS px from the view's top left corner. */
export interface Point {
  x: number;
  y: number;
}

/** Where a pointer is. */
export interface Place extends Point {
  /** How many times as far as a mouse it meets something. */
  reach: number;
}

/** One stroke of mouse, pen, or finger, from press to release. */
export interface StrokeEvents {
  begin(place: Place): void;
  extend(place: Place): void;
  end(event: PointerEvent): void;
  /** It is over, or given up. */
  drop(): void;
}

type Ground = Pick<ToolGround, "element" | "panBy" | "zoomBy">;

/**
 * Follows strokes until the returned function is called. Middle button, space bar, and two fingers still pan; Escape
 * gives a stroke up. Pointer events are captured before they reach the element's children, and clicks, which would show
 * the cell under a finger; wheel and hover are unaffected.
 */
export function strokes(ground: Ground, events: StrokeEvents): () => void {
  const { element } = ground;
  const pointers = new Map<number, Point>();
  let drawing: number | null = null;
  let panning = false;
  let spaceHeld = false;

  const drop = () => {
    drawing = null;
    events.drop();
  };

  function down(event: PointerEvent): void {
    if (event.pointerType === "mouse" && event.button > 1) return;
    take(event);
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    const place = placeOf(event, element);
    pointers.set(event.pointerId, place);
    // A second finger pans instead.
    if (pointers.size > 1) return drop();
    panning = event.button === 1 || spaceHeld;
    if (panning) return;
    drawing = event.pointerId;
    events.begin(place);
  }

  function move(event: PointerEvent): void {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    // Let the event reach the scene, which hides the hover card while a button is down.
    const place = placeOf(event, element);
    pointers.set(event.pointerId, place);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (drawing === event.pointerId) events.extend(place);
    else if (other) moveFingers(ground, before, place, other);
    else if (panning) ground.panBy(before.x - place.x, before.y - place.y);
  }

  function up(event: PointerEvent): void {
    if (!pointers.delete(event.pointerId)) return;
    take(event);
    if (pointers.size === 0) panning = false;
    if (drawing !== event.pointerId) return;
    drawing = null;
    events.end(event);
    events.drop();
  }

  function cancel(event: PointerEvent): void {
    if (pointers.delete(event.pointerId) && drawing !== null) drop();
  }

  function key(event: KeyboardEvent): void {
    if (event.key === " " && event.target === element) {
      spaceHeld = event.type === "keydown";
      event.preventDefault();
    }
    if (event.key !== "Escape" || event.type !== "keydown" || drawing === null) return;
    // Leaving the tool takes a second press of Escape.
    take(event);
    drop();
  }

  const stop = listen(element, {
    pointerdown: down,
    pointermove: move,
    pointerup: up,
    pointercancel: cancel,
    click: take,
    keydown: key,
    keyup: key,
    // The key-up event will go elsewhere.
    blur: () => void (spaceHeld = false),
  });
  return () => {
    stop();
    events.drop();
  };
}

function moveFingers(ground: Ground, before: Point, place: Point, other: Point): void {
  ground.panBy((before.x - place.x) / 2, (before.y - place.y) / 2);
  const wide = distance(before, other);
  if (wide > 0) ground.zoomBy(Math.log2(Math.max(1, distance(place, other)) / wide));
}

/** Where the pointer is. */
export function placeOf(event: PointerEvent, element: HTMLElement): Place {
  const { left, top } = element.getBoundingClientRect();
  const reach = event.pointerType === "touch" ? FINGER_REACH : 1;
  return { x: event.clientX - left, y: event.clientY - top, reach };
}

/** Keeps an event from what else would use it. */
export function take(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Captures these events of an element until the returned function is called. */
export function listen(element: HTMLElement, listeners: Record<string, unknown>): () => void {
  const all = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of all) element.addEventListener(name, listener, { capture: true });
  return () => {
    for (const [name, listener] of all)
      element.removeEventListener(name, listener, { capture: true });
  };
}
