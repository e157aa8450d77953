export { regionFinder, type RegionFinder } from "./region-finder.ts";
export { placeTool } from "./place-tool.ts";
export { regionTool } from "./region-tool.ts";
export type { Sketch } from "./sketch.ts";
export type { ViewTool } from "./tool.ts";
