import { counted, whole } from "@stipple/contract/counted";

/** Sentences about selected cells, named groups and comparisons in the interactive view. */
export const selectionTexts = {
  tools: "Pointer",
  toolNames: { pan: "Move the view", lasso: "Lasso", rectangle: "Rectangle" },
  toolKeys: { pan: "V", lasso: "L", rectangle: "R" },
  combine: "Selection mode",
  combineNames: {
    replace: "Replace the selection",
    add: "Add to the selection",
    subtract: "Subtract from the selection",
  },
  combineKeys: { replace: "", add: "Shift", subtract: "Alt" },
  combineShort: { replace: "Replace", add: "Add", subtract: "Subtract" },
  regionFailed: "We couldn't find the cells in this region. Draw it again.",
  selected: (count: number) => `${counted(count, "cell")} selected`,
  clear: "Clear the selection",
  keepOnly: (name: string) => `Keep only the selected cells of ${name}`,
  selectGroup: (name: string) => `Select the cells of ${name}`,

  /** Read out after each change of the selection. */
  summary: (count: number, parts: readonly { name: string; count: number }[], others: number) =>
    [
      `${counted(count, "cell")} selected: `,
      [
        ...parts.map((part) => `${whole(part.count)} ${part.name}`),
        ...(others > 0 ? [`${whole(others)} of other types`] : []),
      ].join(", "),
      ".",
    ].join(""),
  noneSelected: "No cells selected.",

  panel: {
    empty:
      "Draw around cells in the tissue or the UMAP with the lasso (L) or the rectangle (R). Hold Shift to add cells, Alt to remove them. The arrow beside a group on the left selects the whole group.",
    ofAll: (count: number, all: number) => `${whole(count)} of ${counted(all, "cell")} selected`,
    share: (share: number) => `${(100 * share).toFixed(1)}% of all cells`,
    all: "All shown",
    allHint: "Select all shown cells",
    invert: "Invert",
    invertHint: "Select the shown cells that are not selected",
    clear: "Clear",
    undo: "Undo",
    undoHint: "Back to the previous selection",
  },

  composition: {
    title: "Composition",
    by: "Composition by",
    caption: (other: string) => `Share of each group within the selection, and among ${other}`,
    against: "Composition compared with",
    within: "Selection",
    overall: "All cells",
    /** Among these, in a sentence. */
    amongAll: "all cells",
    group: "Group",
    cells: "Cells",
    none: "None",
    more: (count: number) => `Show ${count} more`,
    fewer: "Show fewer",
    axis: "Share of the selection (%)",
    legend: (other: string) => `Bar: share within the selection. Line: share among ${other}.`,
  },

  measures: {
    title: "Medians",
    caption: "Median of each measure in the selection and in all cells",
    measure: "Measure",
    failed: "didn't load",
    known: (known: number, all: number) => `measured in ${whole(known)} of ${whole(all)}`,
    none: "–",
  },

  groups: {
    title: "Groups",
    empty: "Save the selection under a name to keep it, compare it, or export it.",
    colorBy: "Color by groups",
    name: "Name of the group",
    color: "Color of the group",
    save: "Save as group",
    defaultName: (number: number) => `Group ${number}`,
    saved: (name: string, count: number) => `${name} saved: ${counted(count, "cell")}.`,
    show: (name: string) => `Select the cells of ${name}`,
    edit: (name: string) => `Rename or recolor ${name}`,
    newName: (name: string) => `New name of ${name}`,
    newColor: (name: string) => `Color of ${name}`,
    replace: (name: string) => `Replace ${name} with the selected cells`,
    remove: (name: string) => `Remove ${name}`,
    removed: (name: string) => `${name} was removed.`,
    combine: "Combine",
    first: "First group",
    second: "Second group",
    how: "How to combine them",
    ways: {
      union: "or (union)",
      intersection: "and (intersection)",
      difference: "but not (difference)",
    },
    result: (count: number) => `${counted(count, "cell")} in the result`,
    select: "Select the result",
    choose: "Choose…",
  },

  choices: {
    selection: "Selection",
    current: "Current selection",
    groups: "Groups",
    regions: "Regions",
    rest: "All other cells",
    withCount: (name: string, count: number) => `${name} (${whole(count)})`,
  },

  export: {
    title: "Export",
    which: "Cells to export",
    selection: "Selection",
    all: "All cells",
    download: "Cells as CSV",
    writing: (share: number) => `Writing… ${Math.round(100 * share)}%`,
    failed: (reason: string) => `We couldn't save the table: ${reason}`,
    hint: "One row per cell, named as in the other exports: type, cluster, groups, position in µm, UMAP, measures, and the values that color the cells.",
  },
} as const;
