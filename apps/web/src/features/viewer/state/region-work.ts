/** What the pointer draws regions with. */
export const REGION_TOOLS = ["polygon", "freehand", "brush", "eraser", "corners"] as const;
export type RegionTool = (typeof REGION_TOOLS)[number];

/** What a drawn area becomes: a region of its own, or a part of the chosen one, or a hole in it. */
export type RegionChange = "new" | "add" | "subtract";

/** How regions are worked on in this page. */
export interface RegionWork {
  /** Id of the chosen region. */
  chosen: string | null;
  /** Ids of regions that are not drawn. */
  hidden: readonly string[];
  change: RegionChange;
  /** Radius of brush and eraser. */
  brushUm: number;
}

export const FIRST_REGION_WORK: RegionWork = {
  chosen: null,
  hidden: [],
  change: "new",
  brushUm: 50,
};

export function isRegionTool(tool: string): tool is RegionTool {
  return (REGION_TOOLS as readonly string[]).includes(tool);
}
