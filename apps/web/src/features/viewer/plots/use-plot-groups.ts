import type { CellGrouping } from "@stipple/contract/routes/visualization";
import { useMemo } from "react";
import { visibility, cellSetOf, cellsOf, hasCell, type CellSet } from "@stipple/viewer/cells";
import { shownGroups } from "../state/shown-groups.ts";
import { useHiddenGroups, useViewer, useViewerState } from "../state/viewer-context.tsx";
import { plotTexts } from "./texts.ts";
import {
  groupsByIndex,
  groupsOfSets,
  groupsWithCells,
  type CellGroups,
} from "./numbers/cell-groups.ts";
import type { PlotSettings } from "./plot-settings.ts";

/** The non-empty groups of a plot, with their names and colors on the page. */
export interface PlotGroups {
  names: readonly string[];
  /** Names as in the analysis, to look up its results; the same as `names` for named groups. */
  originalNames: readonly string[];
  /** #rrggbb */
  colors: readonly string[];
  groups: CellGroups;
  /** Which of the analysis's groups these are, and which of their cells are included; null for groups that only the page knows. */
  analyzed: AnalyzedGroups | null;
  /** Total cells over all groups; a cell in several groups counts in each. */
  cells: number;
  /** Groups omitted because none of their cells are included. */
  empty: number;
}

/** Groups in the form the server expects. */
export interface AnalyzedGroups {
  by: CellGrouping;
  /** Index of every non-empty group. */
  indices: readonly number[];
  /** Null = all cells. */
  within: CellSet | null;
}

/** For all cells in one group. */
const ALL_COLOR = "#0072B2";

/**
 * Cells by group according to the settings; `observedOnly` excludes cells without measured counts. Returns the same
 * object for the same cells, names, and colors.
 */
export function usePlotGroups(
  { groupBy, scope }: Pick<PlotSettings, "groupBy" | "scope">,
  observedOnly: boolean,
): PlotGroups {
  const { manifest, cells, regrouped } = useViewer();
  const allHidden = useHiddenGroups();
  const hidden = scope === "shown" ? allHidden : null;
  const selection = useViewerState((state) => (scope === "selection" ? state.selection : null));
  const edits = useViewerState((state) => state.edits);
  const named = useViewerState((state) => (groupBy === "named" ? state.groups : null));

  const all = useMemo((): CellGroups => {
    const drawn = hidden && visibility(cells, hidden);
    const within = (cell: number): boolean =>
      (!drawn || drawn[cell] === 1) &&
      (!observedOnly || cells.observed[cell] === 1) &&
      (scope !== "selection" || (selection !== null && hasCell(selection, cell)));
    if (named) {
      return groupsOfSets(
        named.map((group) => cellsOf(group.cells)),
        within,
      );
    }
    if (groupBy === "none" || groupBy === "named")
      return groupsByIndex(new Uint8Array(manifest.nCells), 1, within);
    const column = cells[groupBy] ?? [];
    return groupsByIndex(column, shownGroups(manifest, groupBy, {}).length, within);
  }, [cells, manifest, hidden, selection, scope, observedOnly, groupBy, named]);

  // Empty groups occupy no space in `cells`, so dropping their offsets drops them.
  const kept = useMemo(() => groupsWithCells(all), [all]);
  const groups = useMemo(
    (): CellGroups => ({
      cells: all.cells,
      offsets: Uint32Array.of(...kept.map((group) => all.offsets[group]!), all.cells.length),
    }),
    [all, kept],
  );
  const looks = useMemo(() => {
    if (groupBy === "none")
      return [{ name: plotTexts.allCells, originalName: plotTexts.allCells, color: ALL_COLOR }];
    if (groupBy === "named")
      return (named ?? []).map(({ name, color }) => ({ name, originalName: name, color }));
    return shownGroups(manifest, groupBy, edits[groupBy]);
  }, [manifest, groupBy, edits, named]);

  const analyzed = useMemo((): AnalyzedGroups | null => {
    const isOfServer = groupBy !== "named" && groupBy !== "own";
    if (!isOfServer || (groupBy !== "none" && regrouped.has(groupBy))) return null;
    const whole = groups.cells.length === manifest.nCells;
    return {
      by: groupBy,
      indices: kept,
      within: whole ? null : cellSetOf(groups.cells, manifest.nCells),
    };
  }, [groupBy, groups, kept, manifest, regrouped]);

  return useMemo(() => {
    const shown = kept.map((group) => looks[group]!);
    return {
      names: uniqueNames(shown.map(({ name }) => name)),
      originalNames: shown.map(({ originalName }) => originalName),
      colors: shown.map(({ color }) => color),
      groups,
      analyzed,
      cells: groups.cells.length,
      empty: looks.length - kept.length,
    };
  }, [groups, analyzed, kept, looks]);
}

/** Axes identify groups by name: a repeated name gets a number. */
export function uniqueNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}
