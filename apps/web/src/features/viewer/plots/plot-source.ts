import { plotTexts } from "./texts.ts";
import type { PlotScope, PlotSettings } from "./plot-settings.ts";
import type { PlotGroups } from "./use-plot-groups.ts";

/** The values and cells a plot shows, in one line. */
export function sourceLine(
  kind: string,
  scope: PlotScope,
  cells: number,
  observedOnly: boolean,
): string {
  const of = `${plotTexts.cellsOf[scope](cells)}${observedOnly ? ` ${plotTexts.inSpots}` : ""}`;
  return kind ? `${kind}; ${of}` : of;
}

/** Why every group is empty, and what to do about it; null if any group has cells. */
export function nothingToPlot(
  { groupBy, scope }: PlotSettings,
  grouped: PlotGroups,
  observedOnly: boolean,
  selected: boolean,
): string | null {
  if (grouped.names.length > 0) return null;
  if (groupBy === "named" && grouped.empty === 0) return plotTexts.noNamed;
  if (scope === "selection" && !selected) return plotTexts.noSelection;
  return observedOnly ? plotTexts.noObserved : plotTexts.noCells;
}
