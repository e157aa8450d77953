import type { Scene } from "@stipple/viewer";
import { useCallback, useSyncExternalStore } from "react";
import type { LinkedScenes } from "./linked-scenes.ts";

/** Scales that differ by more than this have bars of their own. */
const SAME_WITHIN = 0.02;

/** Whether a section is drawn at another scale than the first one that is linked. */
export function hasOwnScale(scene: Scene, common: number | null): boolean {
  const { umPerPixel } = scene.frame();
  return common === null || umPerPixel === null || Math.abs(umPerPixel / common - 1) > SAME_WITHIN;
}

/** µm per CSS px of a scene as it moves; null before there is one. */
export function useUmPerPixel(linked: LinkedScenes, id: string | null): number | null {
  const read = useCallback(
    () => (id === null ? null : (linked.sceneOf(id)?.frame().umPerPixel ?? null)),
    [linked, id],
  );
  return useSyncExternalStore(linked.subscribe, read);
}
