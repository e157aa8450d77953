import { counted } from "@stipple/contract/counted";
import type { AnnotationHistoryEntry } from "@stipple/contract/routes/annotations";

const items = (count: number) => counted(count, "annotation");

const KINDS = {
  name: "name of",
  group: "group",
  region: "region",
  genes: "gene list",
  note: "note",
  clusters: "clustering",
  outlines: "edit of nuclei:",
  figure: "figure",
};
const WHATS = { added: "Added", changed: "Changed", removed: "Removed" };

/** Sentences about annotations. */
export const annotationTexts = {
  notLoaded: "The project’s annotations could not be loaded.",
  waiting: "Not saved yet: the server cannot be reached. Your changes are kept in this browser.",
  conflict: (count: number) =>
    `${items(count)} that you changed ${count === 1 ? "was" : "were"} also changed elsewhere. Nothing was lost: choose what to keep.`,
  refused: "This change does not fit the annotations as they are now, so it was not saved.",
  undoOutdated:
    "The annotations were changed elsewhere, so nothing was undone. This page now shows the newest.",
  saved: "All changes are saved in the project.",
  saving: "Saving…",
  keepMine: "Keep mine",
  takeTheirs: "Take theirs",
  discard: "Discard my change",
  intro:
    "Names, colors, groups, assigned types, regions, and notes belong to the project: every view of it and every share link shows them.",
  readOnly: "Only the project’s owner, signed in, can change them.",
  undo: "Undo",
  redo: "Redo",
  earlier: (count: number) =>
    `${items(count)} ${count === 1 ? "refers" : "refer"} to cells of an earlier analysis: kept, not shown.`,
  nextRun: {
    title: "In the report and the files",
    hint: "The report, the h5ad, Seurat, QuPath, and the tables will include your annotations next to the computed values.",
    use: "Use in the next run",
    /** Follows the server's sentence. */
    then: "Run the analysis again from the project's page.",
    failed: "The server didn't answer. Try again.",
    save: "Save as file",
  },
  assigned: {
    title: "Types you assigned",
    empty: "None. Select cells, then assign a type in the Select panel.",
    row: (type: string, count: number) => `${type}: ${counted(count, "cell")}`,
    select: (type: string) => `Select the cells assigned to ${type}`,
    remove: (type: string) => `Remove the assignment to ${type}`,
  },
  assign: {
    title: "Cell type",
    label: "Type of the selected cells",
    hint: "Choose a type or enter a new one; this splits the types these cells have now. To merge two types, give them the same name.",
    assign: "Assign",
    done: (type: string, count: number) => `${counted(count, "cell")} assigned to ${type}`,
  },
  notes: {
    title: "Notes",
    empty: "No notes.",
    label: "New note",
    hint: "At the selected cells or, without a selection, in the middle of the view.",
    add: "Add note",
    show: "Show on the tissue",
    marker: (text: string) => `Note: ${text}`,
    remove: (text: string) => `Remove the note “${text}”`,
  },
  versions: {
    title: "Versions",
    empty: "No versions yet. Save one before larger changes.",
    name: "Name of the version",
    save: "Save version",
    row: (count: number, when: string) => `${items(count)}, ${when}`,
    restore: (name: string) => `Restore version “${name}”`,
    remove: (name: string) => `Delete version “${name}”`,
    restored: (name: string) => `Version “${name}” restored. You can undo this.`,
    failed: "This did not work. Please try again.",
  },
  history: {
    title: "History",
    empty: "No changes yet.",
    undone: "undone",
    entry({ restored, count, items: first }: AnnotationHistoryEntry): string {
      if (restored !== null) return `Restored version “${restored}”`;
      const [one] = first;
      if (!one) return items(count);
      const same = first.every(({ kind, what }) => kind === one.kind && what === one.what);
      const named = first.map(({ label }) => `“${label}”`).join(", ");
      const more = count > first.length ? ` and ${count - first.length} more` : "";
      if (!same) return `Changed ${named}${more}`;
      if (one.kind === "name" && one.what !== "removed")
        return `Renamed or recolored ${named}${more}`;
      return `${WHATS[one.what]} ${KINDS[one.kind]} ${named}${more}`;
    },
  },
};
