import type { Scene } from "@stipple/viewer";

const PAN_PX = 80;

const ACTIONS: Readonly<Record<string, (scene: Scene) => void>> = {
  "+": (scene) => scene.zoomBy(0.5),
  "=": (scene) => scene.zoomBy(0.5),
  "-": (scene) => scene.zoomBy(-0.5),
  _: (scene) => scene.zoomBy(-0.5),
  "0": (scene) => scene.fit(),
  ArrowLeft: (scene) => scene.panBy(-PAN_PX, 0),
  ArrowRight: (scene) => scene.panBy(PAN_PX, 0),
  ArrowUp: (scene) => scene.panBy(0, -PAN_PX),
  ArrowDown: (scene) => scene.panBy(0, PAN_PX),
};

/** What a key does to the view that has the focus. */
export function keyAction(key: string): ((scene: Scene) => void) | undefined {
  return Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined;
}
