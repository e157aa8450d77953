import type { Panel } from "./panel-rail.tsx";

/** The tools at the right side, from top to bottom. A new one = a folder beside this, and a line here. */
export const PANELS: readonly Panel[] = [];
