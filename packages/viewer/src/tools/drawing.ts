export { brushTool } from "./brush-tool.ts";
export { areaOfRing, areaOfStroke, combinedShapes } from "./combine-shapes.ts";
export { cornerTool } from "./corner-tool.ts";
export { polygonTool } from "./polygon-tool.ts";
export { rulerTool } from "./ruler-tool.ts";
