import type { SceneContent } from "@stipple/viewer";
import type { Place, ViewName } from "@stipple/viewer/choices";
import { useMemo, useState, type RefObject } from "react";
import {
  useMadeScene,
  type MadeScene,
  type SceneMaking,
} from "../../../project/view/use-made-scene.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { setPlace } from "../state/viewer-store.ts";

export interface SceneEnds {
  /** The view zoomed in far enough for outlines, or back out. */
  onClose?: ((close: boolean) => void) | undefined;
  /** The cell under the pointer (−1 for none), and the pointer's position on the stage. */
  onHover(cell: number, x: number, y: number): void;
}

export interface UsedScene extends MadeScene {
  umPerPixel: number | null;
}

/** Draws a view into `parent`, linked to the other views by the place and the hovered cell in the store. */
export function useScene(
  parent: RefObject<HTMLDivElement | null>,
  view: ViewName,
  content: SceneContent,
  ends: SceneEnds,
): UsedScene {
  const { source, store } = useViewer();
  const [umPerPixel, setUmPerPixel] = useState<number | null>(null);
  // Places reported by this view itself; any other was requested by a saved view or the browser history.
  const [reported] = useState(() => new WeakSet<Place>());
  const making = useMemo<SceneMaking>(
    () => ({
      project: () => ({ view, source, place: store.getState().places[view] }),
      made(scene) {
        scene.highlight(store.getState().hovered);
        return store.subscribe((state, before) => {
          if (state.hovered !== before.hovered) scene.highlight(state.hovered);
          const place = state.places[view];
          if (place && place !== before.places[view] && !reported.has(place)) scene.goTo(place);
        });
      },
    }),
    [view, source, store, reported],
  );
  const made = useMadeScene(parent, making, content, {
    onView({ umPerPixel: next, close, place }) {
      setUmPerPixel(next);
      ends.onClose?.(close);
      reported.add(place);
      setPlace(store, view, place);
    },
    onHover(cell, x, y) {
      ends.onHover(cell, x, y);
      if (store.getState().hovered !== cell) store.setState({ hovered: cell });
    },
  });
  return { ...made, umPerPixel };
}
