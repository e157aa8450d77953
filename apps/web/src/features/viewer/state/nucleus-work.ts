import type { DrawnRegion } from "@stipple/viewer";

/** Corners of an outline, full-resolution px. */
export type OutlineCorners = [number, number][];

/** A nucleus of the results, or one that an edit has made (`cell` null): then the edit has this very ring. */
export interface Nucleus {
  cell: number | null;
  ring: OutlineCorners;
}

/** What the pointer edits nuclei with. */
export const NUCLEUS_TOOLS = ["chooseNuclei", "splitNuclei", "addNucleus"] as const;
export type NucleusTool = (typeof NUCLEUS_TOOLS)[number];

/** How nuclei are worked on in this page. */
export interface NucleusWork {
  chosen: readonly Nucleus[];
  /** Edited and chosen nuclei, drawn over the others. */
  drawn: readonly DrawnRegion[];
}

export const FIRST_NUCLEUS_WORK: NucleusWork = { chosen: [], drawn: [] };

export function isNucleusTool(tool: string): tool is NucleusTool {
  return (NUCLEUS_TOOLS as readonly string[]).includes(tool);
}
