export { isInside } from "../draw/outline-shape.ts";
export { brushTool } from "./brush-tool.ts";
export { areaOfRing, areaOfStroke, combinedShapes, withoutCrossings } from "./combine-shapes.ts";
export { cornerTool } from "./corner-tool.ts";
export { goesThrough, mergedRing, splitRing, type Line } from "./nucleus-rings.ts";
export { polygonTool, type PolygonEvents } from "./polygon-tool.ts";
export { rulerTool } from "./ruler-tool.ts";
