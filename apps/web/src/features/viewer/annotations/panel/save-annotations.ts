import { annotationFileText } from "@stipple/contract/annotation-file";
import type { Annotation } from "@stipple/contract/annotations";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";

/** Saves annotations as the file that an analysis on the command line, or another project, can use. */
export function saveAnnotations(items: Iterable<Annotation>, projectName: string): void {
  const text = annotationFileText(items);
  if (text === null) return;
  const file = new Blob([text], { type: "application/json" });
  saveFile(file, `${fileName(projectName, "annotations")}.json`);
}
