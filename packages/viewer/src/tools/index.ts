export { clickTool } from "./click-tool.ts";
export { regionFinder, type RegionFinder } from "./region-finder.ts";
export { regionTool } from "./region-tool.ts";
export type { Sketch } from "./sketch.ts";
export type { ViewTool } from "./tool.ts";
