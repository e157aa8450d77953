/** Sentences about where spots or bins lie on the image. */
export const registrationTexts = {
  title: "Check the alignment with the image",
  loading: "Loading the image and the positions…",
  failed: "We couldn't show the positions on the image.",
  early: "The image and the positions appear here when all required files are uploaded.",
  picture: (file: string) => `Positions over ${file}`,
  opacity: "Opacity of the positions",
  zoom: "Zoom",
  align: "Align by landmarks",
  alignHint:
    "Click a position, then the place on the image where it belongs. Three pairs that are far apart and not on one line move all positions; more pairs show how well they fit. You can also type the numbers.",
  chooseSpot: "Choose a position.",
  choosePlace: "Now choose its place on the image.",
  landmark: (n: number) => `Landmark ${n}`,
  columns: ["From x", "From y", "To x", "To y"],
  residual: "Off by",
  off: (px: number, um: number) => `${px.toFixed(1)} px (${um.toFixed(1)} µm)`,
  add: "Add landmark",
  undo: "Undo",
  remove: (n: number) => `Remove landmark ${n}`,
  reset: "Reset",
  missing: (n: number) =>
    n === 1 ? "One more landmark is needed." : `${n} more landmarks are needed.`,
  onLine: "The landmarks lie on a line: add one that does not.",
  fits: (n: number, px: number, um: number) =>
    `${n} landmarks fit to within ${px.toFixed(1)} px (${um.toFixed(1)} µm).`,
  save: "Use This Alignment",
  saved: "The alignment is saved. The next run uses it.",
  replaces: "This replaces the project's alignment file.",
  saveFailed: "We couldn't save the alignment.",
} as const;
