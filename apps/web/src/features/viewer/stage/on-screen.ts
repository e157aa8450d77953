import type { Scene } from "@stipple/viewer";

/** Converts drawing units to CSS px of a scene as it is now. */
export function onScreen(scene: Scene): (x: number, y: number) => [number, number] {
  const [left, top] = scene.unproject(0, 0);
  const perPx = scene.unproject(1, 0)[0] - left;
  return (x, y) => [(x - left) / perPx, (y - top) / perPx];
}
