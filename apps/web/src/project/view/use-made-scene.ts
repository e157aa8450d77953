import {
  createScene,
  type Scene,
  type SceneContent,
  type SceneEvents,
  type SceneProject,
} from "@stipple/viewer";
import { useEffect, useRef, useState, type RefObject } from "react";

/** How a scene is made, and what is done while there is one. */
export interface SceneMaking {
  project(): SceneProject;
  /** Returns what ends it. */
  made(scene: Scene): () => void;
}

export interface MadeScene {
  /** Null before it is made, and where nothing can be drawn. */
  scene: Scene | null;
  /** Parts of the drawing that failed to load. */
  missing: { tiles: boolean; outlines: boolean };
  /** Nothing can be drawn anymore; `again` retries. */
  lost: boolean;
  again(): void;
}

const NOTHING_MISSING = { tiles: false, outlines: false };

/** Draws `content` into `parent`. Another `making` makes another scene; events go to those given last. */
export function useMadeScene(
  parent: RefObject<HTMLDivElement | null>,
  making: SceneMaking,
  content: SceneContent,
  events: Pick<SceneEvents, "onView" | "onHover">,
): MadeScene {
  const latest = useRef({ content, events });
  const [scene, setScene] = useState<Scene | null>(null);
  const [missing, setMissing] = useState(NOTHING_MISSING);
  const [lost, setLost] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    latest.current = { content, events };
  });

  useEffect(() => {
    if (!parent.current) return;
    let made: Scene;
    try {
      made = createScene(parent.current, making.project(), {
        onView: (view) => latest.current.events.onView(view),
        onHover: (...hovered) => latest.current.events.onHover(...hovered),
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
    const end = making.made(made);
    setScene(made);
    return () => {
      end();
      made.destroy();
      setScene(null);
    };
  }, [parent, making, attempt]);

  useEffect(() => scene?.show(content), [scene, content]);

  const again = () => {
    setLost(false);
    setMissing(NOTHING_MISSING);
    setAttempt(attempt + 1);
  };
  return { scene, missing, lost, again };
}
