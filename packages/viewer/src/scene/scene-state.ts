import type { ViewName } from "../choices.ts";
import { pointSize } from "../draw/dot-size.ts";
import type { OutlineShape } from "../draw/outline-shape.ts";
import type { ViewSource } from "../source/source.ts";
import type { Camera } from "./camera.ts";
import type { SceneContent } from "./interface.ts";
import type { ScenePoints } from "./points.ts";

/** The state that the parts of a scene share. */
export interface SceneState {
  readonly view: ViewName;
  readonly source: ViewSource;
  readonly eye: Camera;
  readonly points: ScenePoints;
  /** What is drawn; undefined before the first time. */
  content: SceneContent | undefined;
  /** The outlines that are drawn; undefined in a view that is not close. */
  outlined: OutlineShape | undefined;
}

/** Radius of the cells' points, CSS px. */
export function pointRadiusPx({ view, source, eye, content }: SceneState): number {
  const factor = content?.layers.pointSize ?? 1;
  const { radius, radiusMinPx, radiusMaxPx } = pointSize(source.manifest, view, factor);
  return Math.min(radiusMaxPx, Math.max(radiusMinPx, radius * 2 ** eye.state.zoom));
}
