import { counted } from "@stipple/contract/counted";

const cells = (count: number): string => counted(count, "cell");

/** Sentences about regions of the tissue in the interactive view. */
export const regionTexts = {
  tools: "Draw regions",
  /** In place of it for people who may not draw. */
  measure: "Measure",
  toolNames: {
    polygon: "Polygon",
    freehand: "Freehand",
    brush: "Brush",
    eraser: "Eraser",
    corners: "Move corners",
    ruler: "Ruler",
  },
  toolKeys: { polygon: "P", freehand: "F", brush: "B", eraser: "E", corners: "K", ruler: "M" },
  toolHints: {
    polygon:
      "Click the corners. Enter, a double click, or a click on the first corner closes the polygon, Backspace removes the last corner, Esc cancels. With the keyboard: arrow keys move the view, C sets a corner in its middle.",
    freehand: "Draw around an area. Hold Alt to cut it out of the chosen region, Shift to add it.",
    brush: "Paint the chosen region, or a new one. Hold Alt to erase.",
    eraser: "Take away from the chosen region.",
    corners:
      "Drag a corner, or an edge for a new one; Delete removes the last one touched. With the keyboard: [ and ] choose a corner, Shift and an arrow key move it.",
    ruler:
      "Drag a line to measure it. With the keyboard: C begins and ends it in the middle of the view.",
  },
  /** What Backspace does, for fingers. */
  takeBackCorner: "Remove last corner",
  /** Read out once the tool has the pointer. */
  ready: (tool: string) => `${tool} is ready.`,
  change: "A drawn area",
  changes: { new: "is a new region", add: "is added", subtract: "is cut out" },
  brush: "Brush radius (µm)",
  choose: "Choose a region in the list first.",
  nothingLeft: (name: string) => `Nothing of ${name} would be left, so it stays as it is.`,
  failed: "This area couldn't be drawn. Draw it again.",
  noArea: "This line encloses no area. Draw around an area.",
  defaultName: (number: number) => `Region ${number}`,
  outside: (name: string) => `Outside ${name}`,
  excludedName: (name: string) => `${name} (excluded)`,

  panel: {
    empty: "Draw a region on the tissue, or import regions drawn in QuPath.",
    emptyReadOnly: "There are no regions on this tissue.",
    loading: "Loading the regions…",
    list: "Regions",
    show: (name: string) => `Show ${name}`,
    hide: (name: string) => `Hide ${name}`,
    edit: (name: string) => `Edit ${name}`,
    remove: (name: string) => `Delete ${name}`,
    removed: (name: string) => `${name} deleted. Undo brings it back.`,
    select: "Select its cells",
    colorBy: "Color by distance",
    keepOnly: "Keep only this region",
    keptOnly: "Everything else is excluded now. \u201cUse in the next run\u201d leaves it out.",
    nothingOutside: "Nothing lies outside this region.",
    composition: "Types in the region",
    others: (count: number) => `${count} more`,
    area: (mm2: number) => `${mm2 < 0.01 ? mm2.toPrecision(2) : mm2.toFixed(2)} mm²`,
    cells,
    counting: "…",
    failed: "not counted",
  },
  form: {
    name: "Name",
    kind: "Class",
    color: "Color",
    excluded: "Excluded",
    excludedHint: "For folds, pen, and debris, which the next run can leave out.",
    done: "Done",
    empty: "Give the region a name.",
    taken: (name: string) => `Another region is called ${name}: choose another name.`,
  },
  files: {
    import: "Import regions",
    importUploaded: "Import uploaded regions",
    nothingNew: "All uploaded regions are in the list already.",
    export: "Export GeoJSON",
    imported: (count: number) => `${counted(count, "region")} imported.`,
    tooLarge: (file: string) =>
      `${file} is larger than 64 MB: export only the annotations, not the cells.`,
    labelsTooLarge: (file: string) =>
      `${file} is larger than 10 MB: save the label image with compression, or at a lower resolution.`,
    noAnswer: "The server didn't answer. Try again.",
    unreadable: (file: string) => `${file} can't be read: choose the file again.`,
    regionTooLarge: (file: string, name: string) =>
      `${file} has a region, ${name}, with more corners than can be kept: simplify it, or give its parts different names.`,
  },
  pieces: {
    title: "Pieces of tissue",
    show: "Show as regions",
  },
  near: {
    title: "Cells near a region or type",
    from: "Distance from",
    within: "At most (µm)",
    outside: "Leave out cells inside the region, or of that type",
    select: "Select these cells",
    colorBy: "Color by distance",
    invalid: "Enter a distance of 0 µm or more.",
    failed: "The distances couldn't be computed. Try again.",
  },
  compare: "Compare two regions",
};
