import { useMemo } from "react";
import { selectionTexts } from "./texts.ts";
import { viewerTexts } from "../texts.ts";
import { shownGroups } from "../state/shown-groups.ts";
import { useRegionCells } from "../regions/measures/use-region-cells.ts";
import { useRegions } from "../regions/use-regions.ts";
import { GROUPINGS, type Grouping } from "@stipple/viewer/choices";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { ColumnArray } from "@stipple/viewer/source";
import { cellSet, type CellSet } from "@stipple/viewer/cells";

/** A set of cells the user can choose from a list. */
export interface CellChoice {
  /** "selection", "group:{id}", "region:{id}", or "{type | cluster | domain}:{index}". */
  key: string;
  name: string;
  count: number;
  cells: () => CellSet;
}

export interface CellChoiceSection {
  label: string;
  choices: CellChoice[];
}

/** The selection, named groups, regions, and groups of the analysis, omitting empty ones. */
export function useCellChoices(): CellChoiceSection[] {
  const { manifest, cells } = useViewer();
  const selection = useViewerState((state) => state.selection);
  const groups = useViewerState((state) => state.groups);
  const edits = useViewerState((state) => state.edits);
  const regions = useRegionCells(useRegions());
  return useMemo(() => {
    const texts = selectionTexts.choices;
    const sections: CellChoiceSection[] = [];
    const add = (label: string, choices: CellChoice[]) => {
      const some = choices.filter(({ count }) => count > 0);
      if (some.length > 0) sections.push({ label, choices: some });
    };
    if (selection) {
      const { count } = selection;
      const choice = { key: "selection", name: texts.current, count, cells: () => selection };
      add(texts.selection, [choice]);
    }
    add(
      texts.groups,
      groups.map((group) => ({
        key: `group:${group.id}`,
        name: group.name,
        count: group.cells.count,
        cells: () => group.cells,
      })),
    );
    add(
      texts.regions,
      regions.map(({ id, value: { name }, cells: inside }) => ({
        key: `region:${id}`,
        name,
        count: inside?.count ?? 0,
        cells: () => inside!,
      })),
    );
    for (const of of GROUPINGS) {
      const column = cells[of];
      if (!column) continue;
      add(
        viewerTexts.groupLists[of],
        shownGroups(manifest, of, edits[of]).map(({ name, count }, index) => ({
          key: `${of}:${index}`,
          name,
          count,
          cells: () => cellsOfGroup(column, of, index),
        })),
      );
    }
    return sections;
  }, [manifest, cells, selection, groups, edits, regions]);
}

export function choiceOf(
  sections: readonly CellChoiceSection[],
  key: string,
): CellChoice | undefined {
  return sections.flatMap(({ choices }) => choices).find((choice) => choice.key === key);
}

/** The cells in a group of the analysis; `column` holds every cell's group. O(nCells). */
export function cellsOfGroup(column: ColumnArray, of: Grouping, index: number): CellSet {
  const isQuality = of === "evidence" || of === "imageQuality";
  const chosenBy = isQuality ? ("quality" as const) : (`expression ${of}:${index}` as const);
  return { ...cellSet(column.length, (cell) => column[cell] === index), chosenBy: [chosenBy] };
}
