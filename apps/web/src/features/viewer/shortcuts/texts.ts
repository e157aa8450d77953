/** The keyboard shortcuts of the interactive view. */
export const shortcutTexts = {
  button: "Keyboard shortcuts (?)",
  title: "Keyboard shortcuts",
  skip: "Skip to the tissue",
  groups: [
    {
      title: "Move and zoom",
      keys: [
        { press: ["Arrow keys"], does: "Move the view" },
        { press: ["+", "−"], does: "Zoom in and out" },
        { press: ["0"], does: "Show everything" },
      ],
    },
    {
      title: "Select cells",
      keys: [
        { press: ["L"], does: "Lasso" },
        { press: ["R"], does: "Rectangle" },
        { press: ["Shift"], does: "Hold while drawing to add to the selection" },
        { press: ["Alt"], does: "Hold while drawing to remove from the selection" },
        { press: ["Space"], does: "Hold while drawing to move the view" },
        { press: ["Esc"], does: "Cancel the region, then leave the tool" },
        { press: ["V"], does: "Back to moving the view" },
      ],
    },
    {
      title: "Names, groups, and other annotations",
      keys: [
        { press: ["Ctrl", "Z"], does: "Undo the latest change" },
        { press: ["Ctrl", "Shift", "Z"], does: "Redo it" },
      ],
    },
    {
      title: "Regions",
      keys: [
        { press: ["P", "F"], does: "Draw a polygon, or freehand" },
        { press: ["B", "E"], does: "Brush and eraser" },
        { press: ["K"], does: "Move the corners of the chosen region" },
        { press: ["Enter"], does: "Close the polygon" },
        { press: ["C"], does: "Set a corner in the middle of the view" },
        { press: ["M"], does: "Ruler" },
      ],
    },
    { title: "Help", keys: [{ press: ["?"], does: "Show this list" }] },
  ],
} as const;
