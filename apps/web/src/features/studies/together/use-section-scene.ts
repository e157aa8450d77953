import type { SceneContent } from "@stipple/viewer";
import type { Box } from "@stipple/viewer/geometry";
import type { ViewSource } from "@stipple/viewer/source";
import { clickTool } from "@stipple/viewer/tools";
import { useEffect, useMemo, useRef, type RefObject } from "react";
import {
  useMadeScene,
  type MadeScene,
  type SceneMaking,
} from "../../../project/view/use-made-scene.ts";
import type { LinkedScenes } from "./linked-scenes.ts";

export interface SectionEvents {
  onHover: (cell: number, x: number, y: number) => void;
  /** The view came near enough for outlines. */
  onClose: () => void;
  /** Given while landmarks are placed: x, y in drawing units. */
  onPlace: ((x: number, y: number) => void) | undefined;
}

/** Draws a section into `parent` and links it to the others. */
export function useSectionScene(
  parent: RefObject<HTMLDivElement | null>,
  { id, source, extent }: { id: string; source: ViewSource; extent: Box },
  content: SceneContent,
  linked: LinkedScenes,
  { onHover, onClose, onPlace }: SectionEvents,
): MadeScene {
  const { minX, minY, maxX, maxY } = extent;
  const making = useMemo<SceneMaking>(
    () => ({
      project: () => ({
        ...{ view: "tissue", source, place: null },
        extent: { minX, minY, maxX, maxY },
      }),
      made: (scene) => linked.add(id, scene),
    }),
    [id, source, linked, minX, minY, maxX, maxY],
  );
  const made = useMadeScene(parent, making, content, {
    onView({ close, place }) {
      if (close) onClose();
      linked.moved(id, place);
    },
    onHover,
  });
  const { scene } = made;

  const place = useRef(onPlace);
  useEffect(() => {
    place.current = onPlace;
  });
  const places = onPlace !== undefined;
  useEffect(() => {
    if (!scene || !places) return;
    scene.use(clickTool({ onClick: (x, y) => place.current?.(x, y), middle: "enter" }));
    return () => scene.use(null);
  }, [scene, places]);
  return made;
}
