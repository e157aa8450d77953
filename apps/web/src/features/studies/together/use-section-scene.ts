import { createScene, type Scene, type SceneContent } from "@stipple/viewer";
import type { ViewSource } from "@stipple/viewer/source";
import { placeTool } from "@stipple/viewer/tools";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { LinkedScenes } from "./linked-scenes.ts";

interface SectionScene {
  /** Null before it is made, and where nothing can be drawn. */
  scene: Scene | null;
  /** Nothing can be drawn any more; `again` tries anew. */
  lost: boolean;
  again: () => void;
  tilesMissing: boolean;
}

export interface SectionEvents {
  onHover: (cell: number, x: number, y: number) => void;
  /** The view came near enough for outlines. */
  onClose: () => void;
  /** Given while landmarks are placed: x, y in drawing units. */
  onPlace: ((x: number, y: number) => void) | undefined;
}

/** What is shown at first: all sections at the same scale. */
export interface Extent {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Draws a section into `parent` and links it to the others. */
export function useSectionScene(
  parent: RefObject<HTMLDivElement | null>,
  { id, source, extent }: { id: string; source: ViewSource; extent: Extent },
  content: SceneContent,
  linked: LinkedScenes,
  events: SectionEvents,
): SectionScene {
  const latest = useRef({ content, events });
  const [scene, setScene] = useState<Scene | null>(null);
  const [lost, setLost] = useState(false);
  const [tilesMissing, setTilesMissing] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const { minX, minY, maxX, maxY } = extent;

  useEffect(() => {
    latest.current = { content, events };
  });

  useEffect(() => {
    if (!parent.current) return;
    let made: Scene;
    try {
      const project = {
        ...{ view: "tissue" as const, source, place: null },
        extent: { minX, minY, maxX, maxY },
      };
      made = createScene(parent.current, project, {
        onView({ close, place }) {
          if (close) latest.current.events.onClose();
          linked.moved(id, place);
        },
        onHover: (cell, x, y) => latest.current.events.onHover(cell, x, y),
        onMissing: (part, isMissing) => part === "tiles" && setTilesMissing(isMissing),
        onLost: () => setLost(true),
      });
    } catch (error) {
      console.error(error);
      queueMicrotask(() => setLost(true));
      return;
    }
    made.show(latest.current.content);
    const leave = linked.add(id, made);
    setScene(made);
    return () => {
      leave();
      made.destroy();
      setScene(null);
    };
  }, [parent, id, source, linked, attempt, minX, minY, maxX, maxY]);

  useEffect(() => scene?.show(content), [scene, content]);

  const places = events.onPlace !== undefined;
  useEffect(() => {
    if (!scene || !places) return;
    scene.use(placeTool((x, y) => latest.current.events.onPlace?.(x, y)));
    return () => scene.use(null);
  }, [scene, places]);

  const again = () => {
    setLost(false);
    setAttempt(attempt + 1);
  };
  return { scene, lost, again, tilesMissing };
}
