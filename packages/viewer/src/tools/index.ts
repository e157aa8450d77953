export { clickTool } from "./click-tool.ts";
export { regionFinder, type RegionFinder } from "./region-finder.ts";
export { regionTool } from "./region-tool.ts";
export type { Sketch } from "./tool.ts";
export type { ViewTool } from "./tool.ts";
