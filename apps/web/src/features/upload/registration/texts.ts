/** Sentences about where the spots lie on the image. */
export const registrationTexts = {
  title: "Check the spots on the image",
  loading: "Placing the spots on the image…",
  failed: "We couldn't place the spots on the image.",
  again: "Try again",
  early: "The spots appear here when all required files are uploaded.",
  picture: (file: string) => `Spots over ${file}`,
  opacity: "Opacity of the spots",
  zoom: "Zoom",
  align: "Align by landmarks",
  alignHint:
    "Click a spot, then the place on the image where it belongs. Three pairs far apart, not on a line, move all spots; more pairs show how well they fit. You can type the numbers instead.",
  chooseSpot: "Choose a spot.",
  choosePlace: "Now choose its place on the image.",
  landmark: (n: number) => `Landmark ${n}`,
  columns: ["Spot x", "Spot y", "Place x", "Place y"],
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
  saved: "The alignment is kept. The next run uses it.",
  replaces: "This replaces the project's alignment file.",
  saveFailed: "We couldn't keep the alignment.",
} as const;
