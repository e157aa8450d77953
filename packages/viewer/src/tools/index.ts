export { clickTool } from "./click-tool.ts";
export { regionFinder } from "./region-finder.ts";
export { regionTool } from "./region-tool.ts";
export type { Sketch, ViewTool } from "./tool.ts";
