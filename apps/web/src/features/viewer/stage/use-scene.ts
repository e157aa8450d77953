import { createScene, type Scene, type SceneContent } from "@stipple/viewer";
import type { Place, ViewName } from "@stipple/viewer/choices";
import { useEffect, useRef, useState, type RefObject } from "react";
import { useViewer } from "../state/viewer-context.tsx";
import { setPlace } from "../state/viewer-store.ts";

const NOTHING_MISSING = { tiles: false, outlines: false };

export interface SceneEnds {
  /** The view zoomed in far enough for outlines, or back out. */
  onClose?: ((close: boolean) => void) | undefined;
  /** The cell under the pointer (−1 for none), and the pointer's position on the stage. */
  onHover(cell: number, x: number, y: number): void;
}

export interface UsedScene {
  /** Null before it is made, and where nothing can be drawn. */
  scene: Scene | null;
  umPerPixel: number | null;
  /** Parts of the drawing that failed to load. */
  missing: { tiles: boolean; outlines: boolean };
  /** Nothing can be drawn any more; `again` tries anew. */
  lost: boolean;
  again(): void;
}

/** Draws a view into `parent`, linked to the other views by the place and the hovered cell in the store. */
export function useScene(
  parent: RefObject<HTMLDivElement | null>,
  view: ViewName,
  content: SceneContent,
  ends: SceneEnds,
): UsedScene {
  const { source, store } = useViewer();
  const latest = useRef({ content, ends });
  const [scene, setScene] = useState<Scene | null>(null);
  const [umPerPixel, setUmPerPixel] = useState<number | null>(null);
  const [missing, setMissing] = useState(NOTHING_MISSING);
  const [lost, setLost] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    latest.current = { content, ends };
  });

  useEffect(() => {
    if (!parent.current) return;
    // Places reported by this view itself; any other was requested by a saved view or the browser history.
    const reported = new WeakSet<Place>();
    let made: Scene;
    try {
      const project = { view, source, place: store.getState().places[view] };
      made = createScene(parent.current, project, {
        onView({ umPerPixel: next, close, place }) {
          setUmPerPixel(next);
          latest.current.ends.onClose?.(close);
          reported.add(place);
          setPlace(store, view, place);
        },
        onHover(cell, x, y) {
          latest.current.ends.onHover(cell, x, y);
          if (store.getState().hovered !== cell) store.setState({ hovered: cell });
        },
        onMissing: (part, isMissing) =>
          setMissing((was) => (was[part] === isMissing ? was : { ...was, [part]: isMissing })),
        onLost: () => setLost(true),
      });
    } catch (error) {
      console.error(error);
      queueMicrotask(() => setLost(true));
      return;
    }
    made.show(latest.current.content);
    made.highlight(store.getState().hovered);
    setScene(made);
    const stop = store.subscribe((state, before) => {
      if (state.hovered !== before.hovered) made.highlight(state.hovered);
      const place = state.places[view];
      if (place && place !== before.places[view] && !reported.has(place)) made.goTo(place);
    });
    return () => {
      stop();
      made.destroy();
      setScene(null);
    };
  }, [parent, view, source, store, attempt]);

  useEffect(() => scene?.show(content), [scene, content]);

  const again = () => {
    setLost(false);
    setMissing(NOTHING_MISSING);
    setAttempt(attempt + 1);
  };
  return { scene, umPerPixel, missing, lost, again };
}
