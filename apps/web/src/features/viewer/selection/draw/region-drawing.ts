import type { Combine } from "../../state/viewer-store.ts";

/** Vertices closer together than this are skipped, CSS px. */
const STEP_PX = 2.5;
/** A region smaller than this in both directions is a click and selects nothing, CSS px. */
const MIN_PX = 4;

/** What drawing needs from a view; positions are CSS px from its top left corner. */
export interface DrawingGround {
  toData(x: number, y: number): [number, number];
  panBy(x: number, y: number): void;
  zoomBy(levels: number): void;
}

export interface DrawingEvents {
  /** Vertices so far, in data units (x, y pairs); null when nothing is being drawn. */
  onOutline(ring: Float64Array | null): void;
  /** A region was drawn; `combine` reflects the modifier keys, undefined without any. */
  onRegion(ring: Float64Array, combine: Combine | undefined): void;
}

interface Point {
  x: number;
  y: number;
}

/**
 * Lets the user draw regions on `element` with mouse, pen, or finger until the returned function is called. Middle
 * button, space bar, and two fingers still pan; Escape discards the region. Pointer events are captured before they
 * reach the element's children; wheel and hover are unaffected.
 */
export function drawRegions(
  element: HTMLElement,
  kind: "lasso" | "rectangle",
  ground: () => DrawingGround | null,
  { onOutline, onRegion }: DrawingEvents,
): () => void {
  const pointers = new Map<number, Point>();
  let drawing: { pointer: number; path: Point[] } | null = null;
  let panning = false;
  let spaceHeld = false;

  const placeOf = (event: PointerEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const take = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  const ringOf = (path: readonly Point[]): Float64Array | null => {
    const at = ground();
    const corners = kind === "lasso" ? path : rectangleOf(path);
    return at && Float64Array.from(corners.flatMap(({ x, y }) => at.toData(x, y)));
  };
  const drop = () => {
    drawing = null;
    onOutline(null);
  };

  function down(event: PointerEvent): void {
    const place = placeOf(event);
    const mouse = event.pointerType === "mouse";
    if (mouse && event.button > 1) return;
    take(event);
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place);
    if (pointers.size > 1) {
      // A second finger pans instead.
      drop();
      return;
    }
    panning = event.button === 1 || spaceHeld;
    if (!panning) drawing = { pointer: event.pointerId, path: [place] };
  }

  function move(event: PointerEvent): void {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    // Let the event reach the scene, which hides the hover card while a button is down.
    const place = placeOf(event);
    pointers.set(event.pointerId, place);
    if (drawing?.pointer === event.pointerId) {
      const { path } = drawing;
      if (kind === "rectangle") path[1] = place;
      else if (distance(path.at(-1)!, place) >= STEP_PX) path.push(place);
      onOutline(ringOf(path));
    } else if (pointers.size > 1) moveFingers(event.pointerId, before, place);
    else if (panning) ground()?.panBy(before.x - place.x, before.y - place.y);
  }

  function moveFingers(moved: number, before: Point, place: Point): void {
    const other = [...pointers].find(([id]) => id !== moved)?.[1];
    if (!other) return;
    ground()?.panBy((before.x - place.x) / 2, (before.y - place.y) / 2);
    const wide = distance(before, other);
    if (wide > 0) ground()?.zoomBy(Math.log2(Math.max(1, distance(place, other)) / wide));
  }

  function up(event: PointerEvent): void {
    if (!pointers.delete(event.pointerId)) return;
    take(event);
    if (pointers.size === 0) panning = false;
    if (drawing?.pointer !== event.pointerId) return;
    const { path } = drawing;
    drop();
    const ring = ringOf(path);
    if (ring && isRegion(path)) onRegion(ring, combineOf(event));
  }

  function cancel(event: PointerEvent): void {
    if (pointers.delete(event.pointerId) && drawing) drop();
  }

  function key(event: KeyboardEvent): void {
    if (event.key === " " && event.target === element) {
      spaceHeld = event.type === "keydown";
      event.preventDefault();
    }
    if (event.key === "Escape" && event.type === "keydown" && drawing) {
      // Leaving the tool takes a second press of Escape.
      take(event);
      drop();
    }
  }

  function blur(): void {
    // The key-up event will go elsewhere.
    spaceHeld = false;
  }

  const listeners = {
    pointerdown: down,
    pointermove: move,
    pointerup: up,
    pointercancel: cancel,
    keydown: key,
    keyup: key,
    blur,
  };
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener as EventListener, { capture: true });
  }
  return () => {
    for (const [name, listener] of Object.entries(listeners)) {
      element.removeEventListener(name, listener as EventListener, { capture: true });
    }
    onOutline(null);
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
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

/** Shift adds, Alt subtracts; otherwise the user's setting applies. */
function combineOf({ shiftKey, altKey }: PointerEvent): Combine | undefined {
  return shiftKey ? "add" : altKey ? "subtract" : undefined;
}
