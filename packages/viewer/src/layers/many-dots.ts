import { DotLayer } from "../draw/dot-layer.ts";
import type { Graphics } from "../draw/graphics.ts";
import { SplatLayer } from "../draw/splat-layer.ts";

/** What draws many dots: WebGL, which without a graphics card is slower than drawing them in JavaScript. */
export function manyDots(graphics: Graphics): typeof DotLayer | typeof SplatLayer {
  return graphics === "card" ? DotLayer : SplatLayer;
}
