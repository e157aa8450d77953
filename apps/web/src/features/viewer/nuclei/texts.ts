import { counted, whole } from "@stipple/contract/counted";
import type { NucleusChange } from "@stipple/contract/annotations";
import type { NucleusTool } from "../state/nucleus-work.ts";

const nuclei = (count: number): string => counted(count, "nucleus", "nuclei");

const CHANGES: Readonly<Record<NucleusChange, string>> = {
  deleted: "deleted",
  merged: "merged",
  split: "split",
  added: "added",
};

/** Sentences about editing the outlines of nuclei. */
export const nucleusTexts = {
  intro:
    "Correct the nuclei that were found. The next run measures the cells again from your outlines, so steps 2 to 7 run again.",
  readOnly: "Only the project’s owner, signed in, can edit nuclei.",
  none: "These results were made by an earlier version, without outlines of nuclei: run the analysis again to edit them.",
  small: "Nuclei are edited on a larger screen.",
  tools: "Edit nuclei",
  toolNames: {
    chooseNuclei: "Choose",
    splitNuclei: "Split",
    addNucleus: "Add",
  } satisfies Record<NucleusTool, string>,
  toolHints: {
    chooseNuclei:
      "Click nuclei to choose them; click again to deselect. Delete removes them, Enter merges them, Esc deselects all. With the keyboard: arrow keys move the view, C chooses the nucleus in its middle.",
    splitNuclei:
      "Drag a line right through a nucleus. With the keyboard: C begins and ends it in the middle of the view.",
    addNucleus:
      "Click the corners of a nucleus that was missed. Enter or a double click closes the outline, Esc cancels. With the keyboard: C sets a corner in the middle of the view.",
  } satisfies Record<NucleusTool, string>,
  ready: (tool: string) => `${tool} is ready.`,
  chosen: (count: number) => `${nuclei(count)} chosen`,
  delete: "Delete",
  merge: "Merge",
  clear: "Deselect all",
  noNucleus: "There is no nucleus at this place. Zoom in and click inside an outline.",
  apart: "These nuclei do not touch, so they stay as they are: choose nuclei side by side.",
  few: "Choose two or more nuclei to merge.",
  missed: "This line goes through no nucleus: begin and end it outside of the outline.",
  long: "This line is too long to split single nuclei: draw a short one through a nucleus.",
  noArea: "This line encloses no area: draw around a nucleus.",
  failed: "The outlines of nuclei couldn't be loaded. Try again.",
  /** "2 deleted, 1 split". */
  edits: (counts: ReadonlyMap<NucleusChange, number>) =>
    [...counts].map(([how, count]) => `${whole(count)} ${CHANGES[how]}`).join(", "),
  noEdits: "No nucleus is changed.",
  discard: "Undo all edits",
  earlier: (count: number) =>
    `${counted(count, "edit was", "edits were")} made on another result and no longer ${count === 1 ? "applies" : "apply"}.`,
  forget: "Remove",
  use: "Use in the next run",
  useFailed: "The server didn't answer. Try again.",
  rerun: "Change and run again",
};
